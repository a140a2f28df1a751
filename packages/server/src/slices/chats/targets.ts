// The users that a call names, checked.
import { ApiError, type Limits } from '@sealpost/contract';
import type { Caller } from '../../platform/rpc/call.ts';
import { requireUserMid } from '../../platform/rpc/mids.ts';
import type { Reader, Tx } from '../../platform/store/store.ts';
import type { Heads } from '../../platform/stream/operation-log.ts';
import type { LockedChat, Party } from './lock-chat.ts';
import * as q from './queries.ts';

/** Where calls that take a struct have their users. */
export const TARGETS = 'request.targetUserMids';

export interface NamedUsers {
  /** Where the call has them. */
  readonly field: string;
  readonly mids: readonly string[];
}

/** The accounts with these mids, each once and without the caller, in the order given. */
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

/** Refuses users that were deleted after they were looked up: those have no log to hold. */
export function requireLiving(heads: Heads, field: string, users: readonly Party[]): void {
  const gone = users.find(({ accountId }) => !heads.has(accountId));
  if (gone) throw noUser(field, gone.mid);
}

/** Targets that are neither members nor invitees yet; refuses more than the chat can hold. */
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

/** The parties with these mids, each once; `refusal` makes the error for one that is not among them. */
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
