import type { SendFailureNote } from './outgoing.ts';

/**
 * The error for a message of the outbox that was refused or cancelled. A refused message stays in the outbox, except in
 * that of a bot: see `MessageRefused`.
 */
export class SendFailed extends Error {
  override readonly name = 'SendFailed';
  /** The id of the message on this device. `outbox.retry` and `outbox.cancel` take it while the message is there. */
  readonly localId: string;
  /** The name of the error in the contract's table, the reason of an error of the SDK, or `cancelled`. */
  readonly reason: string;

  constructor(localId: string, { reason, text }: SendFailureNote) {
    // The text of a SealingError begins with these words.
    super(text.startsWith('not sent') ? text : `not sent: ${text}`);
    this.localId = localId;
    this.reason = reason;
  }
}
