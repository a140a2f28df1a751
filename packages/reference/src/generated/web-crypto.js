// Generated from packages/crypto/src/web-crypto.ts by `npm run docs`.
/** Browsers hide WebCrypto on plain http, except on localhost: say so, for the symptom is a bare `undefined`. */
export function webCrypto()               {
  const subtle                           = globalThis.crypto?.subtle;
  if (!subtle) throw new Error('WebCrypto is not available here: open this page over https or on localhost');
  return subtle;
}

export async function sha256(data                         )                                   {
  return new Uint8Array(await webCrypto().digest('SHA-256', data));
}
