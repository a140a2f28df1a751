/**
 * Why something sealed stays closed:
 * - `malformed`: it does not have the layout of its kind
 * - `version`: its version is none that exists, or not the one that its layout belongs to
 * - `other-keys`: it names other keys than those at hand
 * - `tampered`: it was changed on the way, or sealed with another secret; the two cannot be told apart
 * - `payload`: it is authentic, but its content is not of the announced kind
 */
export type OpenErrorReason = 'malformed' | 'version' | 'other-keys' | 'tampered' | 'payload';

/** Everything that opens sealed bytes fails with this, and with nothing else, whatever the bytes are. */
export class OpenError extends Error {
  override readonly name = 'OpenError';
  readonly reason: OpenErrorReason;

  constructor(reason: OpenErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
