/** A login that came to nothing though no call went wrong. */
export class LoginError extends Error {
  /**
   * `refused`: by the user of another device, or nobody confirmed in time; `expired`: too late;
   * `pin`: the key chain does not open, because the PIN was typed wrong; `unsupported`: the server asks for more
   * than this client can do; `unsafe`: the server tries to put itself between the two devices, or seems to.
   */
  readonly kind: 'refused' | 'expired' | 'pin' | 'unsupported' | 'unsafe';

  constructor(kind: LoginError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LoginError';
    this.kind = kind;
  }
}
