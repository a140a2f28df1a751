// Removes old messages with their reactions and media. The oldest messages of all chats go first, in small
// transactions, so that sends do not wait long. A step that fails or is killed leaves nothing half removed, and the
// next step finds the same messages again. If several servers share a database, each removes other messages.
import type { Clock } from '@sealpost/contract/ports';
import { firstIdAt } from '../../platform/kernel/ids.ts';
import { oneAtATime } from '../../platform/kernel/one-at-a-time.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import { orderedBefore } from './orders.ts';
import * as q from './queries.ts';

export interface RetentionDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Days that messages are kept; 0 keeps them for ever. */
  readonly messageDays: number;
  /** Removes the links between a message and its objects, and the objects that no other message carries. */
  readonly dropMedia: (
    tx: Tx,
    message: { readonly chatId: number; readonly messageId: number; readonly senderId: number },
  ) => Promise<void>;
}

export interface Retention {
  /**
   * Removes some of the messages that are too old, if there are any. A call that comes while another one runs does
   * nothing.
   */
  sweep(): Promise<void>;
}

const DAY_MS = 86_400_000;
/** Maximum number of messages that one transaction removes. */
const MESSAGES = 100;
/** Maximum number of transactions in one sweep. */
const STEPS = 20;
/** The content types of messages whose object may be named after the message: image, video, audio and file. */
const MEDIA = new Set([1, 2, 3, 14]);

export function createRetention({ store, clock, messageDays, dropMedia }: RetentionDeps): Retention {
  /** Returns the id below which all messages are removed; 0 if none are removed. */
  async function endOfOld(): Promise<number> {
    const ordered = await store.read((reader) => orderedBefore(reader, 'messages'));
    const set = messageDays === 0 ? 0 : clock.now() - messageDays * DAY_MS;
    return firstIdAt(Math.max(ordered, set));
  }

  const removeSome = (before: number): Promise<number> =>
    store.transact(async (tx) => {
      const found = await tx.all(q.oldestMessages, before, MESSAGES);
      const names = found.map(({ chat_id, id }) => [chat_id, id]);
      const removed = await tx.each(q.deleteMessages, names);
      const carrying = new Set((await tx.each(q.carrying, names)).map((row) => row.message_id));
      await tx.each(q.deleteReactions, names);
      await tx.each(
        q.deleteLocations,
        found.map(({ id }) => [id]),
      );
      for (const { chat_id, id, sender_id, content_type } of removed) {
        if (!MEDIA.has(content_type) && !carrying.has(id)) continue;
        await dropMedia(tx, { chatId: chat_id, messageId: id, senderId: sender_id });
      }
      return found.length;
    });

  return {
    sweep: oneAtATime(async () => {
      const before = await endOfOld();
      for (let step = 0; before > 0 && step < STEPS; step += 1) {
        if ((await removeSome(before)) < MESSAGES) return;
      }
    }),
  };
}
