// Forgetting on schedule: operations, remembered requests and expired tokens.
import type { Limits } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import { forgetRequests } from '../platform/idempotency/queries.ts';
import type { Store } from '../platform/store/store.ts';
import type { OperationLog } from '../platform/stream/operation-log.ts';
import { accountIdsAfter } from '../slices/accounts/index.ts';
import type { Sessions } from '../slices/sessions/index.ts';

const BATCH = 50;
const DAY_MS = 86_400_000;
/** Ended sessions stay listed so long. */
const ENDED_SESSION_MS = 30 * DAY_MS;

export interface RetentionDeps {
  readonly store: Store;
  readonly log: OperationLog;
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly limits: Limits;
  readonly sweepMedia: { bytes(): Promise<void>; account(accountId: number): Promise<void> };
}

/** Answers a step of the sweep: some accounts at a time, so that nobody waits for it. */
export function createRetention({
  store,
  log,
  clock,
  sessions,
  limits,
  sweepMedia,
}: RetentionDeps): () => Promise<void> {
  let after = 0;
  return async () => {
    const accounts = await store.read((reader) => reader.all(accountIdsAfter, after, BATCH));
    after = accounts.at(-1)?.id ?? 0;
    const now = clock.now();
    await sessions.sweep(now - ENDED_SESSION_MS);
    await sweepMedia.bytes();
    for (const { id } of accounts) {
      await sweepMedia.account(id);
      await store.transact(async (tx) => {
        await log.trim(tx, id, now - limits.operationDays.value * DAY_MS, limits.operationCount.value);
        await tx.run(forgetRequests, id, now - limits.requestMemoryMs.value);
      });
    }
  };
}
