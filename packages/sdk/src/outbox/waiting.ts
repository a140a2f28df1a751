// The callers that wait until messages of the outbox are sent or refused.
import type { SentMessage } from '../sealing/send.ts';
import type { SendFailureNote } from './outgoing.ts';
import { SendFailed } from './send-failed.ts';

const CANCELLED: SendFailureNote = { reason: 'cancelled', text: 'the message was taken out of the outbox' };

export class Waiting {
  readonly #waiters = new Map<string, PromiseWithResolvers<SentMessage>>();
  /** The sent messages, by `localId`, until the commit that removes them from the outbox. */
  readonly #sent = new Map<string, SentMessage>();

  /** Waits for a message that is in the outbox. */
  for(localId: string): Promise<SentMessage> {
    const waiter = this.#waiters.get(localId) ?? Promise.withResolvers();
    this.#waiters.set(localId, waiter);
    return waiter.promise;
  }

  /** Notes that a message was sent. The waiting callers are notified only after the commit. */
  sent(localId: string, sent: SentMessage): void {
    this.#sent.set(localId, sent);
  }

  /**
   * Tells the waiting callers the result of a message: it was sent, has failed, or is not in the outbox. Called after
   * the commit.
   */
  over(localId: string, failure: SendFailureNote = CANCELLED): void {
    const waiter = this.#waiters.get(localId);
    const sent = this.#sent.get(localId);
    this.#waiters.delete(localId);
    this.#sent.delete(localId);
    if (sent) waiter?.resolve(sent);
    else waiter?.reject(new SendFailed(localId, failure));
  }

  /** Tells all waiting callers that the session has ended. The messages stay in the outbox. */
  loggedOut(): void {
    for (const localId of this.#waiters.keys()) this.over(localId, { reason: 'logged_out', text: 'logged out' });
  }
}
