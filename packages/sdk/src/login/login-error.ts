/** The error for a login that failed although the server answered every call. */
export class LoginError extends Error {
  /**
   * `refused`: the user of another device refused, or nobody confirmed in time. `expired`: the login took too long.
   * `pin`: the PIN is wrong; or it was mistyped on the other device, so that the keys do not open. `unsupported`: the
   * server asks for something that this client cannot do. `unsafe`: the keys do not match the words, so the server may
   * have exchanged them.
   */
  readonly kind: 'refused' | 'expired' | 'pin' | 'unsupported' | 'unsafe';

  constructor(kind: LoginError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LoginError';
    this.kind = kind;
  }
}
