// Errors of media that are not errors of the gateway or the network.

export type MediaErrorReason =
  /** The message has no media. */
  | 'not-media'
  /** There is no object that this account may read: it was removed, was never uploaded, or is not for this account. */
  | 'no-object'
  /** The sender has not finished the upload. */
  | 'not-yet'
  /** The message that carries the object's key cannot be opened. The error text says why. */
  | 'sealed'
  /** The received bytes differ from the sent ones, and no part of them may be used. */
  | 'changed'
  /** The metadata of a picture cannot be removed before it is sent. */
  | 'metadata'
  /** The source of the bytes changed while it was read for sending. */
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
