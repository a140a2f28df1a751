// Generated from packages/crypto/src/bytes.ts by `npm run docs`.
// Bytes and their text forms, in browsers and Node alike.

export function concat(...parts                       )        {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export const toBase64 = (bytes            )         => btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(''));

/** Reads base64, the URL-safe alphabet included; throws on anything else. */
export function fromBase64(text        )        {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0));
}

export const equal = (a            , b            )          =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);
