// Bytes and their text forms, for browsers and Node.

export type Bytes = Uint8Array<ArrayBuffer>;

export function concat(...parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A number of arguments that every JavaScript engine accepts in one function call. */
const ARGUMENTS = 8192;

export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += ARGUMENTS)
    binary += String.fromCharCode(...bytes.subarray(at, at + ARGUMENTS));
  return btoa(binary);
}

/** Decodes base64, in the standard or the URL-safe alphabet. Throws if the text is anything else. */
export function fromBase64(text: string): Bytes {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  const binary = atob(standard);
  // This function runs several times for every message. It uses a loop, because `Uint8Array.from` takes ten times as
  // long.
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Returns the four bytes of a number from 0 to 2^32 - 1, highest byte first. */
export function uint32(value: number): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

export const readUint32 = (bytes: Uint8Array, at = 0): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at);

/** Folds a hash of 32 bytes to 16 bytes: the XOR of its two halves. */
export const xor16 = (hash: Bytes): Bytes => hash.slice(0, 16).map((byte, at) => byte ^ (hash[at + 16] ?? 0));

/**
 * Compares two byte arrays in a time that does not depend on where they differ. Otherwise an attacker could measure the
 * time, and so guess a MAC byte by byte.
 */
export function equal(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (const [at, byte] of a.entries()) difference |= byte ^ (b[at] ?? 0);
  return difference === 0;
}

/**
 * Overwrites secrets that are no longer needed. This only shortens their life in memory: the engine may have moved or
 * copied the bytes before. Strings cannot be overwritten, and WebCrypto keeps copies of its own.
 */
export function wipe(...secrets: readonly Uint8Array[]): void {
  for (const secret of secrets) secret.fill(0);
}

/** A source of random bytes. Other sources than `randomBytes` are used only to reproduce test vectors. */
export type RandomBytes = (length: number) => Bytes;

export const randomBytes: RandomBytes = (length) => crypto.getRandomValues(new Uint8Array(length));
