// Describes the server under test.

/** Says how strictly the server checks the header X-Hmac. */
export type SignatureMode = 'strict' | 'lenient' | 'off';

export interface Target {
  readonly url: string;
  readonly brand: string;
  readonly buildToken: string;
  readonly signature: SignatureMode;
}
