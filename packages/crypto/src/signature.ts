// The header X-Hmac, scheme 1 (specification: Authentication), for browsers and Node. docs/signature.md describes the
// derivation of the key.
import { concat, toBase64 } from './bytes.ts';
import { webCrypto } from './web-crypto.ts';

/** The three values that a signing key is derived from. */
export interface SignatureKeyParts {
  readonly buildToken: string;
  /** Value of the client-version header. */
  readonly version: string;
  /** Value of the access-token header; the empty string before login. */
  readonly accessToken: string;
}

export interface SignedRequest {
  /** Path with query, exactly as it will be sent. */
  readonly path: string;
  /** The raw body; the empty string for a GET. */
  readonly body: string | Uint8Array;
}

export type Signer = (request: SignedRequest) => Promise<string>;

const utf8 = new TextEncoder();
const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;

/** Creates a signer, which derives its key only once. Callers need one signer per access token. */
export async function createSigner(parts: SignatureKeyParts): Promise<Signer> {
  const key = await deriveKey(parts);
  return async ({ path, body }) => {
    const data = concat(utf8.encode(path), typeof body === 'string' ? utf8.encode(body) : body);
    return toBase64(new Uint8Array(await webCrypto().sign('HMAC', key, data)));
  };
}

/** Returns the value of `X-Hmac` for one request. */
export async function signRequest(request: SignatureKeyParts & SignedRequest): Promise<string> {
  const sign = await createSigner(request);
  return sign(request);
}

async function deriveKey({ buildToken, version, accessToken }: SignatureKeyParts): Promise<CryptoKey> {
  const subtle = webCrypto();
  const [versionHash, tokenHash, buildKey] = await Promise.all([
    subtle.digest('SHA-256', utf8.encode(version)),
    subtle.digest('SHA-256', utf8.encode(accessToken)),
    subtle.importKey('raw', utf8.encode(buildToken), HMAC, false, ['sign']),
  ]);
  const key = await subtle.sign('HMAC', buildKey, concat(new Uint8Array(versionHash), new Uint8Array(tokenHash)));
  return subtle.importKey('raw', key, HMAC, false, ['sign']);
}
