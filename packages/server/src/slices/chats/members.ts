// Writes the rows of members and invitees. The calling function must hold the lock on the chat.
import type { Tx } from '../../platform/store/store.ts';
import { type LockedChat, type Party, toldOf } from './lock-chat.ts';
import * as q from './queries.ts';

interface Beginning {
  readonly now: number;
  readonly inviterId: number;
  /** New members may read messages whose ids are greater than this one. */
  readonly after: number;
}

type ChatIds = Pick<LockedChat, 'chatId' | 'mid'>;

const rowsOf = (chat: ChatIds, parties: readonly Party[], joined: number, { now, after, inviterId }: Beginning) =>
  parties.map(({ accountId, withheld }) => [chat.chatId, accountId, joined, now, after, inviterId, withheld ? 1 : 0]);

/**
 * Adds members and opens a message box for each, but not for those who are told nothing. A returning member keeps its
 * old box with its read mark.
 */
export async function join(tx: Tx, chat: ChatIds, parties: readonly Party[], beginning: Beginning): Promise<void> {
  await tx.each(q.putMembers, rowsOf(chat, parties, 1, beginning));
  await tx.each(
    q.openBoxes,
    toldOf(parties).map(({ accountId }) => [accountId, chat.mid, chat.chatId]),
  );
  await tx.run(q.raiseVersion, chat.chatId);
}

export async function invite(tx: Tx, chat: ChatIds, parties: readonly Party[], beginning: Beginning): Promise<void> {
  await tx.each(q.putMembers, rowsOf(chat, parties, 0, beginning));
}

/** Ends memberships, and records which messages the former members could read. */
export async function leave(tx: Tx, chat: ChatIds, parties: readonly Party[], before: number): Promise<void> {
  await tx.each(
    q.endMemberships,
    parties.map(({ accountId }) => [chat.chatId, accountId, before]),
  );
  await drop(tx, chat, parties);
  await tx.run(q.raiseVersion, chat.chatId);
}

/** Removes the rows of members or invitees, without recording which messages they could read. */
export async function drop(tx: Tx, chat: ChatIds, parties: readonly Party[]): Promise<void> {
  await tx.each(
    q.dropMembers,
    parties.map(({ accountId }) => [chat.chatId, accountId]),
  );
}
