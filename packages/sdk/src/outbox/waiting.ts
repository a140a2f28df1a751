// The callers that wait until messages of the outbox are sent or refused.
import type { SentMessage } from '../sealing/send.ts';
import type { SendFailureNote } from './outgoing.ts';
import { SendFailed } from './send-failed.ts';

type Waiter = { resolve(sent: SentMessage): void; reject(error: unknown): void };

const CANCELLED: SendFailureNote = { reason: 'cancelled', text: 'the message was taken out of the outbox' };

export class Waiting {
  readonly #waiters = new Map<string, Waiter[]>();
  /** The sent messages, by `localId`, until the commit that removes them from the outbox. */
  readonly #sent = new Map<string, SentMessage>();

  /** Waits for a message that is in the outbox. */
  for(localId: string): Promise<SentMessage> {
    return new Promise((resolve, reject) => {
      this.#waiters.set(localId, [...(this.#waiters.get(localId) ?? []), { resolve, reject }]);
    });
  }

  /** Notes that a message was sent. The waiting callers are notified only after the commit. */
  sent(localId: string, sent: SentMessage): void {
    this.#sent.set(localId, sent);
  }

  /**
   * Tells the waiting callers the result of a message: it was sent, has failed, or was cancelled. Called after the
   * commit.
   */
  over(localId: string, failure: SendFailureNote | undefined): void {
    const sent = this.#sent.get(localId);
    this.#sent.delete(localId);
    const waiters = this.#waiters.get(localId) ?? [];
    this.#waiters.delete(localId);
    for (const { resolve, reject } of waiters) {
      if (sent) resolve(sent);
      else reject(new SendFailed(localId, failure ?? CANCELLED));
    }
  }
}

/** The error for a message that is not in the outbox any more, if nothing else is known about it. */
export const unknownMessage = (localId: string): SendFailed => new SendFailed(localId, CANCELLED);
