// The server under test.

/** How the server checks X-Hmac. */
export type SignatureMode = 'strict' | 'lenient' | 'off';

export interface Target {
  readonly url: string;
  readonly brand: string;
  readonly buildToken: string;
  readonly signature: SignatureMode;
}
