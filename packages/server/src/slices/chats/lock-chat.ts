// Locks a group or room for a change of its members or attributes. Nobody can send to the locked chat until the
// transaction ends.
import { ApiError, isMid, midPrefix } from '@sealpost/contract';
import type { Caller } from '../../platform/rpc/call.ts';
import { invalidMid } from '../../platform/rpc/mids.ts';
import type { Tx } from '../../platform/store/store.ts';
import { absent } from '../messaging/index.ts';
import * as q from './queries.ts';

export interface Party {
  readonly accountId: number;
  readonly mid: string;
  /** True if others see the account in the chat, but the account is told nothing of it; see `places`. */
  readonly withheld?: boolean;
}

/** A user who comes into a chat. It is known whether the user is told. */
export type Newcomer = Party & { readonly withheld: boolean };

export interface Member extends Party {
  /** True if the member muted the chat. */
  readonly muted: boolean;
}

export interface LockedChat {
  readonly chatId: number;
  readonly mid: string;
  readonly isRoom: boolean;
  readonly members: readonly Member[];
  readonly invitees: readonly Party[];
}

export const isRoom = (mid: string): boolean => mid.startsWith(midPrefix.room);

/** Locks a chat and returns its members and invitees; undefined if the chat does not exist. */
export async function lockChat(tx: Tx, mid: string): Promise<LockedChat | undefined> {
  const chat = await tx.one(q.lockChat, mid);
  return chat && withParties(tx, chat.chat_id, mid);
}

async function withParties(tx: Tx, chatId: number, mid: string): Promise<LockedChat> {
  const parties = await tx.each(q.partiesOf, [[chatId]]);
  const toParty = ({ account_id: accountId, mid: partyMid, joined, notification_disabled }: q.MemberRow) => ({
    accountId,
    mid: partyMid,
    withheld: q.isWithheld(joined),
    muted: notification_disabled === 1,
  });
  return {
    chatId,
    mid,
    isRoom: isRoom(mid),
    members: parties.filter((party) => q.isMember(party.joined)).map(toParty),
    invitees: parties.filter((party) => !q.isMember(party.joined)).map(toParty),
  };
}

/**
 * Locks the chat that an argument names. Throws for a malformed mid or a user's mid. Returns undefined if the caller is
 * neither a member nor an invitee, or is told nothing of the chat. The query then finds no row, as for a chat that does
 * not exist. So the duration does not reveal whether the chat exists. The members are read after the chat is locked, so
 * changes made during the wait for the lock are included.
 */
async function lockNamed(tx: Tx, caller: Caller, field: string, mid: string): Promise<LockedChat | undefined> {
  if (!isMid(mid) || mid.startsWith(midPrefix.user)) throw absent(field, mid);
  const chat = await tx.one(q.lockChatFor, caller.accountId, mid);
  return chat && withParties(tx, chat.chat_id, mid);
}

/** Locks a chat if the caller is one of its members. Otherwise throws as if the chat did not exist. */
export async function lockAsMember(tx: Tx, caller: Caller, field: string, mid: string): Promise<LockedChat> {
  const chat = await lockNamed(tx, caller, field, mid);
  if (!chat || !has(toldOf(chat.members), caller)) throw absent(field, mid);
  return chat;
}

/** Locks the room that the argument `roomMid` names. Throws if the caller is not a member of the room. */
export async function lockRoom(tx: Tx, caller: Caller, roomMid: string): Promise<LockedChat> {
  if (!isMid(roomMid) || !isRoom(roomMid)) throw invalidMid('roomMid', roomMid, 'room');
  return lockAsMember(tx, caller, 'roomMid', roomMid);
}

export async function lockAsInvitee(tx: Tx, caller: Caller, field: string, mid: string): Promise<LockedChat> {
  const chat = await lockNamed(tx, caller, field, mid);
  if (!chat || !has(toldOf(chat.invitees), caller)) {
    throw new ApiError('NOT_AN_INVITEE', `not an invitee: ${field}: the caller has no invitation to ${mid}`);
  }
  return chat;
}

export const othersThan = <P extends Party>(parties: readonly P[], accountId: number): readonly P[] =>
  parties.filter((party) => party.accountId !== accountId);

export const has = (parties: readonly Party[], { accountId }: Pick<Party, 'accountId'>): boolean =>
  parties.some((party) => party.accountId === accountId);

/** Returns the parties that are told of the chat. */
export const toldOf = <P extends Pick<Party, 'withheld'>>(parties: readonly P[]): readonly P[] =>
  parties.filter(({ withheld }) => !withheld);

export const midsOf = (parties: readonly Party[]): string[] => parties.map((party) => party.mid);
