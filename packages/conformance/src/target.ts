// The server under test, and the way to its admin API.

/** How the server checks X-Hmac. */
export type SignatureMode = 'strict' | 'lenient' | 'off';

export interface Target {
  readonly url: string;
  readonly brand: string;
  readonly buildToken: string;
  readonly signature: SignatureMode;
}

/** Calls the admin API of the target, by a path under its root; bytes go as a zip, all else as JSON. A refusal rejects. */
export type AdminCall = (verb: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) => Promise<unknown>;
