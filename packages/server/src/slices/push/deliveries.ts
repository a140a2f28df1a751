// Sends pushes. If a push service cannot take a push now, the push is stored and tried again later; it is then called
// owed. Only the newest owed push of each subscription is kept. So a push service in trouble does not delay pushes to
// other services.
import type { QuietHours } from '@sealpost/contract';
import type { Ports } from '@sealpost/contract/ports';
import { growingCache } from '../../platform/kernel/growing-cache.ts';
import type { Logger } from '../../platform/kernel/logger.ts';
import { type Outbound, OutboundFailed, OutboundRefused } from '../../platform/outbound/outbound.ts';
import type { Query, Value } from '../../platform/store/sql.ts';
import type { Reader, Store } from '../../platform/store/store.ts';
import type { ChatNews } from './noticed-chats.ts';
import { type PushMessageDeps, pushMessage } from './push-message.ts';
import * as q from './queries.ts';
import { isQuiet } from './quiet-hours.ts';

export interface DeliveriesDeps extends PushMessageDeps {
  readonly store: Store;
  readonly outbound: Outbound;
  readonly ports: Ports;
  readonly logger: Logger;
  /** Returns the ids of an account's live sessions. */
  readonly liveSessions: (reader: Reader, accountId: number) => Promise<ReadonlySet<number>>;
  /** Returns whether the account has a stream or a poll open at any server. */
  readonly isOpen: (accountId: number, signal: AbortSignal) => Promise<boolean>;
}

export interface Deliveries {
  /**
   * Returns the account's subscriptions that may get a push now: the session is live, and the time is outside its quiet
   * hours.
   */
  awake(accountId: number): Promise<q.SubscriptionRow[]>;
  /** Sends a push about a chat to a subscription. Resolves once the push is sent, given up or stored as owed. */
  push(subscription: q.SubscriptionRow, news: ChatNews, signal: AbortSignal): Promise<void>;
  /** Tries again the owed pushes whose time has come. */
  retryOwed(signal: AbortSignal): Promise<void>;
}

/** Minimum number of milliseconds between two pushes about one chat to one session. */
const SPACING_MS = 5_000;
const MOST_REMEMBERED = 100_000;
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 3_600_000;
/** Number of attempts after which a push is given up. The last attempt is at least five hours after the first. */
const ATTEMPTS = 15;
/** Milliseconds for which no other server tries an owed push after one server has begun to try it. */
const CLAIM_MS = 60_000;
const OWED_AT_ONCE = 100;
const [NOT_FOUND, GONE] = [404, 410];

export function createDeliveries(deps: DeliveriesDeps): Deliveries {
  const { store, ports, logger, liveSessions, isOpen } = deps;
  const { clock, timers } = ports;
  /** The last push by session and chat. */
  const sent = growingCache<string, { revision: number; at: number }>(MOST_REMEMBERED);

  async function awake(accountId: number): Promise<q.SubscriptionRow[]> {
    const [rows, live] = await store.read(async (reader) => [
      await reader.all(q.subscriptionsOf, accountId),
      await liveSessions(reader, accountId),
    ]);
    return rows.filter((row) => live.has(row.session_id) && !isQuietNow(row));
  }

  const isAwake = async ({ account_id, session_id }: q.SubscriptionRow): Promise<boolean> =>
    (await awake(account_id)).some((other) => other.session_id === session_id);

  function isQuietNow({ quiet_hours }: q.SubscriptionRow): boolean {
    if (quiet_hours === '') return false;
    const hours: QuietHours = JSON.parse(quiet_hours);
    return isQuiet(hours, clock.now());
  }

  const write: Write = (query, ...values) => store.transact((tx) => tx.run(query, ...values));

  async function send(row: q.SubscriptionRow, chat: string): Promise<void> {
    const { account_id, session_id, owed_tries } = row;
    const waitMs = await attempt(deps, write, row, chat);
    if (waitMs !== undefined && owed_tries + 1 < ATTEMPTS) {
      const backOff = Math.min(FIRST_RETRY_MS * 2 ** owed_tries, LONGEST_RETRY_MS);
      await write(q.owe, chat, clock.now() + Math.max(waitMs, backOff), account_id, session_id);
    } else {
      if (waitMs !== undefined) logger.warn({ accountId: account_id, owed_tries }, 'a push was given up');
      if (row.owed_chat !== null) await write(q.settle, account_id, session_id);
    }
  }

  async function retry(row: q.SubscriptionRow, signal: AbortSignal): Promise<void> {
    const { account_id, session_id, owed_chat, owed_time } = row;
    const taken = await store.transact((tx) =>
      tx.one(q.claimOwed, clock.now() + CLAIM_MS, account_id, session_id, owed_time),
    );
    if (!taken || owed_chat === null) return;
    if ((await isAwake(row)) && !(await isOpen(account_id, signal))) await send(row, owed_chat);
    else if (!signal.aborted) await write(q.settle, account_id, session_id);
  }

  return {
    awake,
    async push(row, { chat, revision }, signal) {
      const key = `${row.session_id} ${chat}`;
      const last = sent.get(key);
      if (last && last.revision >= revision) return;
      const wait = last ? last.at + SPACING_MS - clock.monotonic() : 0;
      if (wait > 0) {
        await new Promise<void>((resolve) => timers.after(wait, resolve));
        signal.throwIfAborted();
        if (!(await isAwake(row))) return;
      }
      const at = clock.monotonic();
      await send(row, chat);
      sent.set(key, { revision, at });
    },
    async retryOwed(signal) {
      const due = await store.read((reader) => reader.all(q.owedBefore, clock.now(), OWED_AT_ONCE));
      await Promise.all(due.map((row) => retry(row, signal)));
    },
  };
}

type Write = (query: Query<unknown>, ...values: Value[]) => Promise<void>;

/**
 * Sends one push. Returns the milliseconds to wait before the next attempt; undefined if no further attempt is needed.
 */
async function attempt(
  deps: DeliveriesDeps,
  write: Write,
  row: q.SubscriptionRow,
  chat: string,
): Promise<number | undefined> {
  const { outbound, logger } = deps;
  const { account_id, session_id, endpoint } = row;
  const about = { accountId: account_id, host: new URL(endpoint).host };
  try {
    const { status, retryAfterMs } = await outbound.post(endpoint, pushMessage(deps, row, chat));
    if (retryAfterMs > 0) return retryAfterMs;
    if (status === NOT_FOUND || status === GONE) await write(q.deleteGone, account_id, session_id, endpoint);
    else if (status >= 300) logger.warn({ ...about, status }, 'a push service refused a push');
    return undefined;
  } catch (error) {
    if (error instanceof OutboundFailed) return error.retryAfterMs;
    if (!(error instanceof OutboundRefused)) throw error;
    logger.warn({ ...about, error }, 'a push was not sent');
    return undefined;
  }
}
