// Looks up the users that a call names, and throws if a mid does not belong to a user.
import { ApiError } from '@sealpost/contract';
import { requireUserMid } from '../../platform/rpc/mids.ts';
import type { Reader } from '../../platform/store/store.ts';
import { type AccountRow, accountsByMid } from './queries.ts';

/**
 * Returns the accounts with these mids in the order of the mids, each once.
 * @param field path of the argument that names the users; errors contain this path
 * @throws INVALID_MID if a text is not the mid of a user; NOT_FOUND if no user has the mid
 */
export async function requireUsers(reader: Reader, field: string, mids: readonly string[]): Promise<AccountRow[]> {
  const unique = [...new Set(mids)];
  for (const mid of unique) requireUserMid(field, mid);
  const rows = await reader.each(
    accountsByMid,
    unique.map((mid) => [mid]),
  );
  const byMid = new Map(rows.map((row) => [row.mid, row]));
  return unique.map((mid) => {
    const account = byMid.get(mid);
    if (!account) throw new ApiError('NOT_FOUND', `${field}: there is no user ${mid}`);
    return account;
  });
}

/**
 * Returns the account of a user other than the caller.
 * @throws ILLEGAL_ARGUMENT if the mid is the caller's own; otherwise the errors of `requireUsers`
 */
export async function requireOther(reader: Reader, callerMid: string, field: string, mid: string): Promise<AccountRow> {
  if (mid === callerMid) throw new ApiError('ILLEGAL_ARGUMENT', `${field} is the mid of the caller itself`);
  const [account] = await requireUsers(reader, field, [mid]);
  return account as AccountRow;
}
