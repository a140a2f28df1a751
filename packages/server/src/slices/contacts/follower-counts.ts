import type { Clock } from '@sealpost/contract/ports';
import { growingCache } from '../../platform/kernel/growing-cache.ts';
import type { Reader } from '../../platform/store/store.ts';
import { countAddedBy } from './queries.ts';

/** Returns how many accounts have an account as a contact. */
export type FollowerCounts = (reader: Reader, accountId: number) => Promise<number>;

/** Smallest count that is remembered. A smaller one is counted again at each call. */
const LARGE = 1000;
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 1000;

/** Counts followers. Counting many takes long, so a large count is remembered for a minute. */
export function createFollowerCounts(clock: Clock): FollowerCounts {
  const remembered = growingCache<number, { readonly count: number; readonly at: number }>(MOST_REMEMBERED);
  return async (reader, accountId) => {
    const last = remembered.get(accountId);
    if (last && clock.monotonic() - last.at < REMEMBERED_MS) return last.count;
    const count = (await reader.one(countAddedBy, accountId))?.count ?? 0;
    if (count >= LARGE) remembered.set(accountId, { count, at: clock.monotonic() });
    return count;
  };
}
