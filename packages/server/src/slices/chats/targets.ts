// Looks up and checks the users that a call names.
import { ApiError, type Limits } from '@sealpost/contract';
import type { Caller } from '../../platform/rpc/call.ts';
import { requireUserMid } from '../../platform/rpc/mids.ts';
import type { Reader, Tx } from '../../platform/store/store.ts';
import type { Heads } from '../../platform/stream/operation-log.ts';
import { lockLogs } from './announce-change.ts';
import { has, type LockedChat, type Newcomer, type Party, toldOf } from './lock-chat.ts';
import type { MembershipDeps } from './membership.ts';
import * as q from './queries.ts';

/** Path of the field that names the users in calls whose only argument is a struct. Errors contain this path. */
export const TARGETS = 'request.targetUserMids';

export interface NamedUsers {
  /** Path of the argument that names the users. Errors contain this path. */
  readonly field: string;
  readonly mids: readonly string[];
}

/**
 * Returns the accounts with these mids in the order of the mids, each once and without the caller. Throws if a user is
 * unknown.
 */
export async function requireUsers(reader: Reader, caller: Caller, { field, mids }: NamedUsers): Promise<Party[]> {
  const wanted = [...new Set(mids)].filter((mid) => mid !== caller.mid);
  for (const mid of wanted) requireUserMid(field, mid);
  const rows = await reader.each(
    q.accountsByMid,
    wanted.map((mid) => [mid]),
  );
  const ids = new Map(rows.map((row) => [row.mid, row.id]));
  return wanted.map((mid) => {
    const accountId = ids.get(mid);
    if (accountId === undefined) throw noUser(field, mid);
    return { accountId, mid };
  });
}

const noUser = (field: string, mid: string): ApiError => new ApiError('NOT_FOUND', `${field}: there is no user ${mid}`);

/** Throws if a user was deleted after the lookup. A deleted user has no log, so `heads` has no entry for it. */
export function requireLiving(heads: Heads, field: string, users: readonly Party[]): void {
  const gone = users.find(({ accountId }) => !heads.has(accountId));
  if (gone) throw noUser(field, gone.mid);
}

/** Marks the users who keep the inviter away. The calling function must hold the locks on their logs. */
export async function withBlockers(
  tx: Tx,
  { blockersOf }: Pick<MembershipDeps, 'blockersOf'>,
  inviter: Caller,
  users: readonly Party[],
  room: boolean,
): Promise<Newcomer[]> {
  const ids = users.map(({ accountId }) => accountId);
  const blockers = await blockersOf(tx, inviter.accountId, ids, room);
  return users.map(({ accountId, mid }) => ({ accountId, mid, withheld: blockers.has(accountId) }));
}

export interface Invited {
  /** Users who come into the chat. */
  readonly newcomers: readonly Newcomer[];
  /** Users whom others saw in the chat before, and who are told of it from now on. */
  readonly found: readonly Newcomer[];
  readonly heads: Heads;
}

/**
 * Returns the named users who are not in the chat yet or were told nothing of it until now. Locks the logs of the named
 * users and of the members, and does the same for users who are in the chat already. So the duration does not reveal
 * that a user was told nothing. Throws if the chat would have too many members.
 */
export async function lockInvited(
  tx: Tx,
  deps: MembershipDeps,
  inviter: Caller,
  chat: LockedChat,
  named: NamedUsers,
): Promise<Invited> {
  const parties = [...chat.members, ...chat.invitees];
  const users = await requireUsers(tx, inviter, named);
  requireRoom(deps.limits, new Set([...parties, ...users].map((party) => party.accountId)).size);
  const heads = await lockLogs(tx, deps, chat.members, users);
  const marked = await withBlockers(tx, deps, inviter, users, chat.isRoom);
  const newcomers = marked.filter((user) => !has(parties, user));
  requireLiving(heads, named.field, newcomers);
  const found = toldOf(marked).filter((user) => has(parties, user) && !has(toldOf(parties), user));
  return { newcomers, found, heads };
}

export function requireRoom(limits: Limits, parties: number): void {
  const most = limits.chatMembers.value;
  if (parties > most) {
    throw new ApiError('INVALID_LENGTH', `the chat would have ${parties} members and invitees, at most ${most} fit`);
  }
}

/**
 * Returns the parties with these mids, each once. If a mid is not among the parties, throws the error that `refusal`
 * returns.
 */
export function pickParties(
  parties: readonly Party[],
  mids: readonly string[],
  refusal: (mid: string) => ApiError,
): readonly Party[] {
  const byMid = new Map(parties.map((party) => [party.mid, party]));
  return [...new Set(mids)].map((mid) => {
    const party = byMid.get(mid);
    if (!party) throw refusal(mid);
    return party;
  });
}
