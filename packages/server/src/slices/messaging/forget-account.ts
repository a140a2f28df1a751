// Removes what only a deleted account could see: its message boxes, messages and reactions that were withheld from others,
// and chats that nobody else has. Messages that others received stay.
import type { Tx } from '../../platform/store/store.ts';
import * as q from './queries.ts';

export async function forgetMessages(tx: Tx, accountId: number): Promise<void> {
  const withheld = await tx.all(q.messagesOnlyFor, accountId);
  const names = withheld.map(({ chat_id, id }) => [chat_id, id]);
  await tx.each(q.dropMessages, names);
  await tx.each(q.dropReactionsTo, names);
  await tx.each(q.dropCarriersBy, names);
  await tx.each(
    q.dropLocations,
    withheld.map(({ id }) => [id]),
  );
  await tx.run(q.dropReactionsOnlyFor, accountId, accountId);
  // If both accounts of a chat are deleted at once, the second deletion waits here, and then sees the first.
  await tx.all(q.lockChatsOf, accountId);
  for (const { chat_id: chatId } of await tx.all(q.chatsOfNobodyElse, accountId)) {
    await tx.run(q.dropLocationsOfChat, chatId);
    await tx.run(q.dropReactionsOfChat, chatId);
    await tx.run(q.dropCarriersOfChat, chatId);
    await tx.run(q.dropSealedOfChat, chatId);
    await tx.run(q.dropMessagesOfChat, chatId);
  }
  await tx.run(q.dropBoxesOf, accountId);
}
