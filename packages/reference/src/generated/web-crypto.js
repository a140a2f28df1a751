// Generated from packages/crypto/src/web-crypto.ts by `npm run docs`.
/**
 * Returns WebCrypto, or throws an error that explains its absence: browsers hide it on plain http, except on localhost.
 */
export function webCrypto()               {
  const subtle                           = globalThis.crypto?.subtle;
  if (!subtle) throw new Error('WebCrypto is not available here: open this page over https or on localhost');
  return subtle;
}

export async function sha256(data                         )                                   {
  return new Uint8Array(await webCrypto().digest('SHA-256', data));
}
