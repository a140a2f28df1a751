// Looks up and checks the users that a call names.
import { ApiError, type Limits } from '@sealpost/contract';
import type { Caller } from '../../platform/rpc/call.ts';
import { requireUserMid } from '../../platform/rpc/mids.ts';
import type { Reader, Tx } from '../../platform/store/store.ts';
import type { Heads } from '../../platform/stream/operation-log.ts';
import type { LockedChat, Party } from './lock-chat.ts';
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

/**
 * Returns the named users that are neither members nor invitees yet. Throws if the chat would have too many members.
 */
export async function newcomersTo(
  tx: Tx,
  { limits }: { limits: Limits },
  caller: Caller,
  chat: LockedChat,
  named: NamedUsers,
): Promise<Party[]> {
  const present = new Set([...chat.members, ...chat.invitees].map((party) => party.accountId));
  const newcomers = (await requireUsers(tx, caller, named)).filter((user) => !present.has(user.accountId));
  requireRoom(limits, present.size + newcomers.length);
  return newcomers;
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
