import { sql, sqlSet } from '../../platform/store/sql.ts';

export interface SubscriptionRow {
  readonly account_id: number;
  readonly session_id: number;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  /** JSON of the quiet hours; empty if there are none. */
  readonly quiet_hours: string;
  /** Time at which the session subscribed. The session gets no pushes about earlier operations. */
  readonly created_time: number;
  readonly owed_chat: string | null;
  readonly owed_tries: number;
  readonly owed_time: number | null;
}

const COLUMNS =
  'account_id, session_id, endpoint, p256dh, auth, quiet_hours, created_time, owed_chat, owed_tries, owed_time from push_subscription';

export const subscribed = sqlSet<{ account_id: number }>(
  { account_id: 'bigint' },
  'select distinct account_id from push_subscription where account_id in {given}',
);
export const subscriptionsOf = sql<SubscriptionRow>(`select ${COLUMNS} where account_id = ? order by session_id`);
/**
 * Removes the subscriptions of other sessions with the same endpoint. An endpoint belongs to one browser, so these are
 * earlier sessions of that browser.
 */
export const deleteEndpoint = sql(
  'delete from push_subscription where endpoint_digest = ? and not (account_id = ? and session_id = ?)',
);
export const putSubscription = sql(
  `insert into push_subscription
   (account_id, session_id, endpoint, endpoint_digest, p256dh, auth, quiet_hours, created_time)
   values (?, ?, ?, ?, ?, ?, ?, ?)
   on conflict (account_id, session_id) do update set endpoint = excluded.endpoint,
     endpoint_digest = excluded.endpoint_digest, p256dh = excluded.p256dh, auth = excluded.auth,
     quiet_hours = excluded.quiet_hours, owed_chat = null, owed_tries = 0, owed_time = null`,
);
export const deleteSubscription = sql('delete from push_subscription where account_id = ? and session_id = ?');
/** Removes the subscription of a session, unless the session has subscribed with another endpoint in the meantime. */
export const deleteGone = sql('delete from push_subscription where account_id = ? and session_id = ? and endpoint = ?');
export const deleteSubscriptionsOf = sql('delete from push_subscription where account_id = ?');

export const owe = sql(
  `update push_subscription set owed_chat = ?, owed_tries = owed_tries + 1, owed_time = ?
   where account_id = ? and session_id = ?`,
);
export const settle = sql(
  `update push_subscription set owed_chat = null, owed_tries = 0, owed_time = null
   where account_id = ? and session_id = ?`,
);
export const owedBefore = sql<SubscriptionRow>(`select ${COLUMNS} where owed_time <= ? order by owed_time limit ?`);
/**
 * Claims an owed push for one attempt, and changes its time. Another server that read the same row then finds no row
 * with the old time.
 */
export const claimOwed = sql<{ session_id: number }>(
  `update push_subscription set owed_time = ? where account_id = ? and session_id = ? and owed_time = ?
   returning session_id`,
);
