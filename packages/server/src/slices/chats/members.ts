// Writes the rows of members and invitees. The calling function must hold the lock on the chat.
import type { Tx } from '../../platform/store/store.ts';
import { type LockedChat, type Newcomer, type Party, toldOf } from './lock-chat.ts';
import * as q from './queries.ts';

interface Beginning {
  readonly now: number;
  readonly inviterId: number;
  /** New members may read messages whose ids are greater than this one. */
  readonly after: number;
}

type ChatIds = Pick<LockedChat, 'chatId' | 'mid'>;

const rowsOf = (
  chat: ChatIds,
  parties: readonly Newcomer[],
  [told, withheld]: readonly [told: number, withheld: number],
  { now, after, inviterId }: Beginning,
) => parties.map((party) => [chat.chatId, party.accountId, party.withheld ? withheld : told, now, after, inviterId]);

const openBoxes = (tx: Tx, chat: ChatIds, parties: readonly Newcomer[]) =>
  tx.each(
    q.openBoxes,
    toldOf(parties).map(({ accountId }) => [accountId, chat.mid, chat.chatId]),
  );

/**
 * Adds members and opens a message box for each, but not for those who are told nothing. A returning member keeps its
 * old box with its read mark.
 */
export async function join(tx: Tx, chat: ChatIds, parties: readonly Newcomer[], beginning: Beginning): Promise<void> {
  await tx.each(q.putMembers, rowsOf(chat, parties, [q.places.JOINED, q.places.JOINED_WITHHELD], beginning));
  await openBoxes(tx, chat, parties);
  await tx.run(q.raiseVersion, chat.chatId);
}

export async function invite(tx: Tx, chat: ChatIds, parties: readonly Newcomer[], beginning: Beginning): Promise<void> {
  await tx.each(q.putMembers, rowsOf(chat, parties, [q.places.INVITED, q.places.INVITED_WITHHELD], beginning));
}

/**
 * Tells parties of the chat from now on. Members can read the messages after `after`. The group key stays valid, because
 * others saw these members before.
 */
export async function tellFromNow(
  tx: Tx,
  chat: ChatIds,
  parties: readonly Newcomer[],
  { joined, after }: { readonly joined: boolean; readonly after: number },
): Promise<void> {
  if (parties.length === 0) return;
  await tx.each(
    q.endWithholding,
    parties.map(({ accountId }) => [chat.chatId, accountId, after]),
  );
  if (joined) await openBoxes(tx, chat, parties);
  await tx.run(q.raiseVersionOnly, chat.chatId);
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
