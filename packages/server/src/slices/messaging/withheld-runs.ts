// Runs of withheld messages in one-to-one chats: readers from whom they are withheld pass over a run at once.
import type { Tx } from '../../platform/store/store.ts';
import * as q from './queries.ts';

/** A message that a transaction adds to a chat. The ids of a chat rise. */
interface AddedMessage {
  readonly chatId: number;
  readonly id: number;
  /** The only account that gets the message; null if it is withheld from nobody. */
  readonly onlyFor: number | null;
}

export interface WithheldRuns {
  /**
   * Adds a message after those of its chat. Returns the id of the message before the run that it belongs to, or 0 for
   * the beginning of the chat. Returns null if the message is withheld from nobody.
   */
  add(message: AddedMessage): number | null;
}

/**
 * Reads the newest messages of chats. The logs of their accounts must be locked, so that no message comes between.
 * @param chatIds all chats to which the transaction may add withheld messages
 */
export async function findRuns(tx: Tx, chatIds: ReadonlySet<number>): Promise<WithheldRuns> {
  const found =
    chatIds.size === 0
      ? []
      : await tx.each(
          q.newestOfChats,
          [...chatIds].map((id) => [id]),
        );
  const newest = new Map<number, q.EdgeRow>(found.map((row) => [row.chat_id, row]));
  return {
    add({ chatId, id, onlyFor }) {
      if (!chatIds.has(chatId)) return null;
      const after = onlyFor === null ? null : runOf(newest.get(chatId), onlyFor);
      newest.set(chatId, { id, only_for: onlyFor, withheld_after: after });
      return after;
    },
  };
}

/** Returns the id of the message before the run that a withheld message continues or begins. */
function runOf(previous: q.EdgeRow | undefined, onlyFor: number): number {
  if (!previous) return 0;
  return previous.only_for === onlyFor ? (previous.withheld_after ?? previous.id) : previous.id;
}
