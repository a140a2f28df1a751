// Checks the signature in the header X-Hmac. `scheme1` implements scheme 1 of docs/signature.md. Another `Verifier` may
// implement another scheme.
import { ApiError, clientVersion } from '@sealpost/contract';
import { growingSignature, isSignatureForm, type PreparedKey, prepareKey, verify } from '@sealpost/crypto/node';
import { growingCache } from '../kernel/growing-cache.ts';

/**
 * `strict` requires a valid signature. `lenient` requires a signature of the right form, but only reports a signature
 * that does not match. `off` checks nothing.
 */
export type SignatureMode = 'strict' | 'lenient' | 'off';

export interface SignedParts {
  readonly path: string;
  readonly body: Buffer;
  readonly signature: string | undefined;
  readonly version: string | undefined;
  readonly accessToken: string;
  /** Name of the header that must have an access token, for errors; undefined if the request needs none. */
  readonly accessHeader: string | undefined;
  /** A place for the prepared keys of this token; undefined while the token is unknown. */
  readonly keys: Map<string, unknown> | undefined;
}

export type Verifier = (parts: SignedParts) => boolean;

/**
 * `required` needs a signature in every mode except `off`. `lenient` needs one only in strict mode. `optional` never
 * needs one, but a signature that is sent is checked.
 */
export type SignatureNeed = 'required' | 'lenient' | 'optional';

const KEYS_WITHOUT_SESSION = 1000;

/**
 * Returns a verifier that accepts a signature that was made with any of the build tokens. So the build token can be
 * changed while clients still use the old one.
 */
export function scheme1(buildTokens: readonly string[]): Verifier {
  const prepared = growingCache<string, PreparedKey[]>(KEYS_WITHOUT_SESSION);
  const prepare = (version: string, token: string) => buildTokens.map((build) => prepareKey(build, version, token));
  return ({ path, body, signature, version = clientVersion, accessToken, keys }) => {
    const cache = (keys as Map<string, PreparedKey[]> | undefined) ?? prepared;
    const name = keys ? version : `${version} ${accessToken}`;
    let candidates = cache.get(name);
    if (!candidates) {
      candidates = prepare(version, accessToken);
      // A session keeps the keys of a few versions only. A client may send any version, so the keys could otherwise
      // fill the memory.
      if (keys && keys.size >= 4) keys.clear();
      cache.set(name, candidates);
    }
    return candidates.some((key) => verify(key, path, body, signature));
  };
}

/** The check of a signature over a body that is still arriving. */
export interface BodySignature {
  update(piece: Buffer): void;
  /**
   * Throws if the signature is invalid. Called once, after the whole body.
   * @throws REQUEST_INVALID_HMAC
   */
  require(): void;
}

export interface BodySignatureDeps {
  readonly mode: SignatureMode;
  readonly buildTokens: readonly string[];
  readonly onMismatch: (path: string) => void;
}

/**
 * Returns the check of an optional signature; undefined if the request has no signature, or in the mode `off`.
 * @throws REQUEST_INVALID_HMAC if the text does not have the form of a signature
 */
export function bodySignature(
  { mode, buildTokens, onMismatch }: BodySignatureDeps,
  { path, signature, version = clientVersion, accessToken, accessHeader }: Omit<SignedParts, 'body' | 'keys'>,
): BodySignature | undefined {
  if (mode === 'off' || signature === undefined) return undefined;
  if (!isSignatureForm(signature)) throw new ApiError('REQUEST_INVALID_HMAC', NO_SIGNATURE);
  const candidates = buildTokens.map((token) => growingSignature(prepareKey(token, version, accessToken), path));
  return {
    update(piece) {
      for (const candidate of candidates) candidate.update(piece);
    },
    require() {
      if (candidates.map((candidate) => candidate.matches(signature)).includes(true)) return;
      if (mode === 'strict') throw wrongSignature({ accessToken, accessHeader });
      onMismatch(path);
    },
  };
}

const NO_SIGNATURE = 'X-Hmac is not base64 of 32 bytes';
const WRONG_SIGNATURE = 'X-Hmac does not match path, body, token, version and build token';

/** Returns the error for a wrong signature. It tells if there is no token: a client may send one in another header. */
function wrongSignature({ accessToken, accessHeader }: Pick<SignedParts, 'accessToken' | 'accessHeader'>): ApiError {
  const isMissing = accessHeader !== undefined && accessToken === '';
  const why = isMissing ? `; the request has no ${accessHeader}, so its token is the empty text` : '';
  return new ApiError('REQUEST_INVALID_HMAC', WRONG_SIGNATURE + why);
}

/**
 * Throws if a request lacks a signature that it needs, or if its signature is invalid.
 * @throws REQUEST_INVALID_HMAC
 */
export function requireSignature(
  mode: SignatureMode,
  verifier: Verifier,
  need: SignatureNeed,
  parts: SignedParts,
  onMismatch: (path: string) => void,
): void {
  if (mode === 'off') return;
  if (parts.signature === undefined) {
    if (need === 'optional' || (need === 'lenient' && mode === 'lenient')) return;
    throw new ApiError('REQUEST_INVALID_HMAC', 'X-Hmac is missing');
  }
  if (verifier(parts)) return;
  if (!isSignatureForm(parts.signature)) throw new ApiError('REQUEST_INVALID_HMAC', NO_SIGNATURE);
  if (mode === 'strict') throw wrongSignature(parts);
  onMismatch(parts.path);
}
