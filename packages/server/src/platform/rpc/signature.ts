// X-Hmac (specification: Authentication). Scheme 1 of docs/signature.md; another derivation plugs in as a `Verifier`.
import { ApiError, clientVersion } from '@sealpost/contract';
import { growingSignature, isSignatureForm, type PreparedKey, prepareKey, verify } from '@sealpost/crypto/node';
import { LRUCache } from 'lru-cache';

/** `strict` checks the value; `lenient` checks presence and form and reports a wrong value; `off` looks at nothing. */
export type SignatureMode = 'strict' | 'lenient' | 'off';

export interface SignedParts {
  readonly path: string;
  readonly body: Buffer;
  readonly signature: string | undefined;
  readonly version: string | undefined;
  readonly accessToken: string;
  /** Where keys for this token may be kept; absent for tokens that are not known yet. */
  readonly keys: Map<string, unknown> | undefined;
}

export type Verifier = (parts: SignedParts) => boolean;

/** `required`: as the mode says. `lenient`: may be absent unless strict. `optional`: may be absent. */
export type SignatureNeed = 'required' | 'lenient' | 'optional';

const KEYS_WITHOUT_SESSION = 1000;

/** Any of the build tokens may match, so that they can be changed while clients are about. */
export function scheme1(buildTokens: readonly string[]): Verifier {
  const prepared = new LRUCache<string, PreparedKey[]>({ max: KEYS_WITHOUT_SESSION });
  const prepare = (version: string, token: string) => buildTokens.map((build) => prepareKey(build, version, token));
  return ({ path, body, signature, version = clientVersion, accessToken, keys }) => {
    const cache = (keys as Map<string, PreparedKey[]> | undefined) ?? prepared;
    const name = keys ? version : `${version} ${accessToken}`;
    let candidates = cache.get(name);
    if (!candidates) {
      candidates = prepare(version, accessToken);
      // Clients may name any version: a session remembers only a few.
      if (keys && keys.size >= 4) keys.clear();
      cache.set(name, candidates);
    }
    return candidates.some((key) => verify(key, path, body, signature));
  };
}

/** A signature over a body that is still arriving. */
export interface BodySignature {
  update(piece: Buffer): void;
  /** To be called once, after all of the body. @throws REQUEST_INVALID_HMAC */
  require(): void;
}

export interface BodySignatureDeps {
  readonly mode: SignatureMode;
  readonly buildTokens: readonly string[];
  readonly onMismatch: (path: string) => void;
}

/**
 * The check of a signature that need not be there; undefined where there is none, or nobody looks at it.
 * @throws REQUEST_INVALID_HMAC for what is no signature at all
 */
export function bodySignature(
  { mode, buildTokens, onMismatch }: BodySignatureDeps,
  { path, signature, version = clientVersion, accessToken }: Omit<SignedParts, 'body' | 'keys'>,
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
      if (mode === 'strict') throw new ApiError('REQUEST_INVALID_HMAC', WRONG_SIGNATURE);
      onMismatch(path);
    },
  };
}

const NO_SIGNATURE = 'X-Hmac is not base64 of 32 bytes';
const WRONG_SIGNATURE = 'X-Hmac does not match path, body, token, version and build token';

/** @throws REQUEST_INVALID_HMAC */
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
  if (mode === 'strict') throw new ApiError('REQUEST_INVALID_HMAC', WRONG_SIGNATURE);
  onMismatch(parts.path);
}
