import type { Reader } from '../store/store.ts';
import type { LoggedOperation } from '../stream/operation-log.ts';
import * as q from './queries.ts';

/** The range of an account's operations that a subscriber handles next. */
export interface NextOperations {
  readonly account_id: number;
  /** The range begins after this revision and ends with the revision `last`. */
  readonly after: number;
  readonly last: number;
  /** The newest revision of the log. */
  readonly revision: number;
}

/** Reads the operations of the given types in the given ranges. Returns them by account, in the order of each log. */
export async function operationsIn(
  reader: Reader,
  ranges: readonly NextOperations[],
  types: ReadonlySet<number>,
): Promise<Map<number, LoggedOperation[]>> {
  const byAccount = new Map<number, LoggedOperation[]>();
  if (ranges.length === 0) return byAccount;
  const rows = await reader.each(
    q.operationsBetween,
    ranges.map(({ account_id, after, last }) => [account_id, after, last]),
  );
  for (const { account_id: accountId, created_time: createdTime, req_seq: reqSeq, ...row } of rows) {
    if (!types.has(row.type)) continue;
    const operations = byAccount.get(accountId) ?? [];
    operations.push({ ...row, accountId, createdTime, reqSeq });
    byAccount.set(accountId, operations);
  }
  for (const operations of byAccount.values()) operations.sort((a, b) => a.revision - b.revision);
  return byAccount;
}
