/**
 * The reason why something sealed cannot be opened:
 * - `malformed`: it does not have the layout of its kind
 * - `version`: its version does not exist, or does not match its layout
 * - `other-keys`: it names keys other than those given
 * - `tampered`: it was changed on the way, or sealed with another secret; the two cannot be told apart
 * - `payload`: it is authentic, but its content is not of the announced kind
 */
export type OpenErrorReason = 'malformed' | 'version' | 'other-keys' | 'tampered' | 'payload';

/** The error for sealed bytes that cannot be opened. Opening throws no other error, whatever the bytes are. */
export class OpenError extends Error {
  override readonly name = 'OpenError';
  readonly reason: OpenErrorReason;

  constructor(reason: OpenErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
