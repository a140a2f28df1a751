// A group or room while its membership or attributes change: the transaction holds it, nobody sends to it meanwhile.
import { ApiError, isMid, midPrefix, type NamedOperation } from '@sealpost/contract';
import type { Ids } from '../../platform/kernel/ids.ts';
import type { Clock } from '../../platform/kernel/ports.ts';
import type { Caller } from '../../platform/rpc/call.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { Heads, NewOperation, OperationLog } from '../../platform/stream/operation-log.ts';
import { absent, postSystemMessages } from '../messaging/index.ts';
import * as q from './queries.ts';

export interface Party {
  readonly accountId: number;
  readonly mid: string;
}

export interface HeldChat {
  readonly chatId: number;
  readonly mid: string;
  readonly isRoom: boolean;
  readonly members: readonly Party[];
  readonly invitees: readonly Party[];
}

export const isRoom = (mid: string): boolean => mid.startsWith(midPrefix.room);

/** Undefined for a chat that does not exist. */
export async function holdChat(tx: Tx, mid: string): Promise<HeldChat | undefined> {
  const chat = await tx.one(q.lockChat, mid);
  return chat && withParties(tx, chat.chat_id, mid);
}

async function withParties(tx: Tx, chatId: number, mid: string): Promise<HeldChat> {
  const parties = await tx.each(q.partiesOf, [[chatId]]);
  const toParty = ({ account_id: accountId, mid: partyMid }: q.MemberRow) => ({ accountId, mid: partyMid });
  return {
    chatId,
    mid,
    isRoom: isRoom(mid),
    members: parties.filter((party) => party.joined === 1).map(toParty),
    invitees: parties.filter((party) => party.joined === 0).map(toParty),
  };
}

/**
 * Mids of users and malformed ones are refused, as what the call has in `field`. For an outsider the work ends where it
 * ends for a chat that does not exist. Whoever came or went while the chat was waited for is in the list of parties.
 */
async function holdNamed(tx: Tx, caller: Caller, field: string, mid: string): Promise<HeldChat | undefined> {
  if (!isMid(mid) || mid.startsWith(midPrefix.user)) throw absent(field, mid);
  const chat = await tx.one(q.lockChatFor, caller.accountId, mid);
  return chat?.joined == null ? undefined : withParties(tx, chat.chat_id, mid);
}

/** Holds a chat for one of its members; to anybody else it does not exist. */
export async function holdAsMember(tx: Tx, caller: Caller, field: string, mid: string): Promise<HeldChat> {
  const chat = await holdNamed(tx, caller, field, mid);
  if (!chat?.members.some((member) => member.accountId === caller.accountId)) throw absent(field, mid);
  return chat;
}

export async function holdAsInvitee(tx: Tx, caller: Caller, field: string, mid: string): Promise<HeldChat> {
  const chat = await holdNamed(tx, caller, field, mid);
  if (!chat?.invitees.some((invitee) => invitee.accountId === caller.accountId)) throw new ApiError('NOT_AN_INVITEE');
  return chat;
}

export const othersThan = (parties: readonly Party[], accountId: number): readonly Party[] =>
  parties.filter((party) => party.accountId !== accountId);

export const midsOf = (parties: readonly Party[]): string[] => parties.map((party) => party.mid);

/** The same operation for each of some accounts. */
export const tell = (parties: readonly Party[], operation: NamedOperation): NewOperation[] =>
  parties.map(({ accountId }) => ({ accountId, ...operation }));

export interface ChangeDeps {
  readonly log: OperationLog;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** Holds the logs of everybody that a change concerns. */
export const lockLogs = (tx: Tx, { log }: ChangeDeps, ...groups: readonly (readonly Party[])[]): Promise<Heads> =>
  log.lock(
    tx,
    groups.flat().map((party) => party.accountId),
  );

/**
 * A number between the messages that the chat has now and all later ones: beginnings and ends of memberships are such
 * numbers. The heads take it in, because other servers, with other clocks, make the next messages above their heads.
 */
export async function boundaryAfter(tx: Tx, { ids }: ChangeDeps, chatId: number, heads: Heads): Promise<number> {
  const newest = (await tx.one(q.newestMessage, chatId))?.id ?? 0;
  const boundary = ids.next(Math.max(newest, ...[...heads.values()].map((head) => head.last_message_id)));
  for (const head of heads.values()) head.last_message_id = boundary;
  return boundary;
}

export interface Announcement {
  readonly chat: Pick<HeldChat, 'chatId' | 'mid'>;
  readonly actor: Party;
  readonly reqSeq: number;
  readonly heads: Heads;
  readonly operations: readonly NewOperation[];
  /** System messages that go with the operations, and the members that get them. */
  readonly messages?: readonly { readonly key: string; readonly args: readonly string[] }[];
  readonly readers?: readonly Party[];
}

/** Appends what a change tells: its operations, then its system messages. */
export async function announce(tx: Tx, deps: ChangeDeps, announcement: Announcement): Promise<void> {
  const { chat, actor, reqSeq, heads, operations, messages = [], readers = [] } = announcement;
  const memberIds = readers.map((reader) => reader.accountId);
  const posted =
    messages.length === 0
      ? []
      : await postSystemMessages(
          tx,
          deps.ids,
          heads,
          messages.map(({ key, args }) => ({
            chatId: chat.chatId,
            chatMid: chat.mid,
            actor,
            key,
            args,
            memberIds,
            reqSeq,
          })),
        );
  await deps.log.append(tx, [...operations, ...posted], heads);
}
