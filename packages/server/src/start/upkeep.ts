// The regular work of a server. It sends pings on streams, removes old data, keeps the node number, and finds
// operations that no wake-up announced.
import type { Limits } from '@sealpost/contract';
import { type Clock, drawFraction, type Timer } from '@sealpost/contract/ports';
import { forgetRequests } from '../platform/idempotency/queries.ts';
import type { Logger } from '../platform/kernel/logger.ts';
import { oneAtATime } from '../platform/kernel/one-at-a-time.ts';
import type { ServerPorts } from '../platform/kernel/ports.ts';
import type { Store } from '../platform/store/store.ts';
import type { OpenStreams } from '../platform/stream/open-streams.ts';
import type { OperationLog } from '../platform/stream/operation-log.ts';
import type { Subscribers } from '../platform/subscriber/subscribers.ts';
import { accountIdsAfter } from '../slices/accounts/index.ts';
import { createOwedNews } from '../slices/contacts/index.ts';
import type { Push } from '../slices/push/index.ts';
import type { Sessions } from '../slices/sessions/index.ts';
import type { Config } from './config/config.ts';
import type { SessionWatch } from './session-watch.ts';
import type { Slices } from './slices.ts';

/** Milliseconds between two checks for due pings. */
export const STREAM_TICK_MS = 2_000;
const POLL_MS = 2_000;
const POLL_JITTER_MS = 500;
const NODE_MS = 1_000;
/** Milliseconds between two tries to do migrations that wait for older servers. */
const MIGRATIONS_MS = 10_000;
const RETENTION_MS = 5_000;
const BATCH = 50;
const DAY_MS = 86_400_000;
/** Milliseconds for which an ended session stays in the list of sessions. */
const ENDED_SESSION_MS = 30 * DAY_MS;

export interface UpkeepDeps {
  readonly store: Store;
  readonly log: OperationLog;
  readonly openStreams: OpenStreams;
  readonly subscribers: Pick<Subscribers, 'start'>;
  readonly watch: SessionWatch;
  readonly slices: Slices;
  readonly keepNode: (() => Promise<void>) | undefined;
  readonly finishMigrations: (() => Promise<boolean>) | undefined;
  readonly config: Pick<Config, 'limits' | 'messageDays'>;
  readonly ports: ServerPorts;
  readonly logger: Logger;
}

/** Starts the regular work, and returns a timer that ends it. */
export function startUpkeep(deps: UpkeepDeps): Timer {
  const { store, log, openStreams, subscribers, watch, slices, keepNode, finishMigrations, config, ports, logger } =
    deps;
  const { clock, timers } = ports;
  const { sessions } = slices;
  const retention = createRetention({
    sessions,
    store,
    log,
    clock,
    ...config,
    sweepMedia: slices.media.sweep,
    sweepPush: slices.push.sweep,
  });
  const quietly = (work: () => Promise<void>, what: string) => () => {
    work().catch((error: unknown) => logger.error({ error }, what));
  };
  subscribers.start();
  const running = [
    timers.every(STREAM_TICK_MS, () => openStreams.tick(), { coarse: () => openStreams.size === 0 }),
    timers.every(RETENTION_MS, quietly(oneAtATime(retention), 'forgetting old rows failed'), { coarse: () => true }),
    timers.every(RETENTION_MS, quietly(slices.retention.sweep, 'removing old messages failed'), { coarse: () => true }),
    timers.every(RETENTION_MS, quietly(createOwedNews(store, log), 'telling followers failed'), { coarse: () => true }),
    timers.every(
      RETENTION_MS,
      quietly(() => slices.push.retryOwed(), 'sending owed pushes failed'),
      { coarse: () => true },
    ),
    timers.every(
      RETENTION_MS,
      quietly(() => slices.login.sweep(), 'forgetting old logins failed'),
      { coarse: () => true },
    ),
    timers.every(
      RETENTION_MS,
      quietly(() => slices.registration.sweep(), 'forgetting used challenges failed'),
      { coarse: () => true },
    ),
  ];
  if (keepNode) running.push(timers.every(NODE_MS, quietly(keepNode, 'there is no node number to be had')));
  if (finishMigrations) {
    const finish = timers.every(
      MIGRATIONS_MS,
      quietly(
        oneAtATime(async () => {
          if (await finishMigrations()) finish.cancel();
        }),
        'a migration that waited failed',
      ),
    );
    running.push(finish);
  }
  // Other servers may use the same database. Their wake-ups do not arrive if there is no bus, or if the bus loses
  // messages.
  if (store.kind === 'postgres') {
    const every = POLL_MS + drawFraction(ports.random) * POLL_JITTER_MS;
    running.push(
      timers.every(
        every,
        quietly(() => openStreams.poll(), 'the poll of the log failed'),
      ),
      timers.every(every, quietly(watch.look, 'the look for ended sessions failed')),
    );
  }
  return {
    cancel() {
      for (const timer of running) timer.cancel();
    },
  };
}

interface RetentionDeps {
  readonly store: Store;
  readonly log: OperationLog;
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly limits: Limits;
  readonly messageDays: number;
  readonly sweepMedia: { bytes(): Promise<void>; account(accountId: number): Promise<void> };
  readonly sweepPush: Push['sweep'];
}

/**
 * Returns a function that removes some of the old data at each call. Each call handles only a few accounts, so that
 * other work does not wait long.
 */
function createRetention({
  store,
  log,
  clock,
  sessions,
  limits,
  messageDays,
  sweepMedia,
  sweepPush,
}: RetentionDeps): () => Promise<void> {
  // Operations with data about a message are removed at the latest when the message is removed.
  const operationDays = Math.min(limits.operationDays.value, messageDays || Number.MAX_SAFE_INTEGER);
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
        await log.trim(tx, id, now - operationDays * DAY_MS, limits.operationCount.value);
        await sweepPush(tx, id);
        await tx.run(forgetRequests, id, now - limits.requestMemoryMs.value);
      });
    }
  };
}
