// Removes a deleted account from all its chats, ends its invitations, and takes away the pictures that it uploaded.
import { Outdated, type Reader, type Tx } from '../../platform/store/store.ts';
import { type ChangeDeps, lockLogs } from './announce-change.ts';
import { depart } from './leave-chat.ts';
import { has, type LockedChat, lockChat, type Party } from './lock-chat.ts';
import { drop } from './members.ts';
import * as q from './queries.ts';
import { losePicture } from './update-chat.ts';

/** Returns the paths of all pictures that an account has uploaded, also for groups that it has left since. */
export type PicturesOf = (reader: Reader, accountId: number) => Promise<readonly string[]>;

export async function leaveAllChats(
  tx: Tx,
  deps: ChangeDeps & { readonly picturesOf: PicturesOf },
  leaver: Party,
): Promise<void> {
  const own = () => tx.all(q.allChatsOf, leaver.accountId);
  const shown = async () => {
    const paths = await deps.picturesOf(tx, leaver.accountId);
    return tx.each(
      q.chatsWithPicture,
      paths.map((path) => [path]),
    );
  };
  const chats: LockedChat[] = [];
  // First the chats are locked, in the order of their ids, and then the operation logs. Every transaction that locks
  // several chats keeps this order, which prevents deadlocks.
  const found = new Map([...(await own()), ...(await shown())].map(({ chat_id, mid }) => [chat_id, mid]));
  for (const [, mid] of [...found].sort(([one], [other]) => one - other)) {
    const chat = await lockChat(tx, mid);
    if (chat) chats.push(chat);
  }
  const heads = await lockLogs(tx, deps, [leaver], ...chats.flatMap((chat) => [chat.members, chat.invitees]));
  // An invitation needs the lock on the log of the invited account. This transaction holds that lock now, so no further
  // invitation can arrive. An invitation that arrived before the lock is found here.
  const held = new Set(chats.map((chat) => chat.mid));
  if ((await own()).some(({ mid }) => !held.has(mid))) {
    throw new Outdated('the account was invited while it left its chats');
  }
  const losing = new Set((await shown()).map(({ mid }) => mid));
  for (const chat of chats) {
    if (losing.has(chat.mid)) await losePicture(tx, deps, chat, leaver, heads);
    if (has(chat.members, leaver)) await depart(tx, deps, chat, leaver, heads, 0, []);
    else if (has(chat.invitees, leaver)) await drop(tx, chat, [leaver]);
  }
}
