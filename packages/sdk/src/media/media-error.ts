// What can go wrong with media beyond the errors of the gateway and the network.

export type MediaErrorReason =
  /** The message carries no media. */
  | 'not-media'
  /** There is no object that this account may read: it was removed, never came, or is not for this account. */
  | 'no-object'
  /** The sender has not finished the upload. */
  | 'not-yet'
  /** The message that has its key stays closed; the text says why. */
  | 'sealed'
  /** The bytes are not those that were sent: nothing of them may be used. */
  | 'changed'
  /** The metadata of a picture that is to be sent cannot be removed. */
  | 'metadata'
  /** What is being sent changed while it was read. */
  | 'source-changed';

export class MediaError extends Error {
  readonly reason: MediaErrorReason;

  constructor(reason: MediaErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MediaError';
    this.reason = reason;
  }
}

export const changedError = (cause?: unknown): MediaError =>
  new MediaError(
    'changed',
    'The bytes are not those that were sent: they were changed or are damaged. Nothing was kept.',
    {
      cause,
    },
  );
