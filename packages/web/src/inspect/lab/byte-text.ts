// Converts bytes to and from texts in base64 and hex.
import { type Bytes, fromBase64 } from '@sealpost/crypto';

export const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

export function fromHex(text: string): Bytes {
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

export const be32 = (value: number): Bytes => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
};

export const joined = (...parts: readonly Uint8Array[]): Bytes => {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

export const same = (a: Uint8Array, b: Uint8Array): boolean => hex(a) === hex(b);

export const ascii = (text: string): Bytes => new TextEncoder().encode(text);

/**
 * Reads 32 bytes of a key in base64 or hex.
 * @throws Error that describes the problem; its message begins with the name
 */
export function readKey(text: string, name: string): Bytes {
  const given = text.trim();
  if (/^[0-9a-f]{64}$/i.test(given)) return fromHex(given);
  let bytes: Bytes | undefined;
  try {
    bytes = fromBase64(given);
  } catch {
    throw new Error(`${name} is neither base64 nor 64 hex digits`);
  }
  if (bytes.length !== 32) throw new Error(`${name} has ${bytes.length} bytes, and a key has 32`);
  return bytes;
}
