// Removes a deleted account from all its chats, and ends its invitations.
import { Outdated, type Tx } from '../../platform/store/store.ts';
import { type ChangeDeps, lockLogs } from './announce-change.ts';
import { depart } from './leave-chat.ts';
import { type LockedChat, lockChat, type Party } from './lock-chat.ts';
import { drop } from './members.ts';
import * as q from './queries.ts';

export async function leaveAllChats(tx: Tx, deps: ChangeDeps, leaver: Party): Promise<void> {
  const chats: LockedChat[] = [];
  // First the chats are locked, in the order of their ids, and then the operation logs. Every transaction that locks
  // several chats keeps this order, which prevents deadlocks.
  for (const { mid } of await tx.all(q.allChatsOf, leaver.accountId)) {
    const chat = await lockChat(tx, mid);
    if (chat) chats.push(chat);
  }
  const heads = await lockLogs(tx, deps, [leaver], ...chats.map((chat) => chat.members));
  // An invitation needs the lock on the log of the invited account. This transaction holds that lock now, so no further
  // invitation can arrive. An invitation that arrived before the lock is found here.
  const held = new Set(chats.map((chat) => chat.mid));
  if ((await tx.all(q.allChatsOf, leaver.accountId)).some(({ mid }) => !held.has(mid))) {
    throw new Outdated('the account was invited while it left its chats');
  }
  for (const chat of chats) {
    const isMember = chat.members.some((member) => member.accountId === leaver.accountId);
    if (isMember) await depart(tx, deps, chat, leaver, heads, 0, []);
    else await drop(tx, chat, [leaver]);
  }
}
