// Web Push. A subscriber of the operation log notifies the browsers of accounts that have no stream or poll open. The
// message names only the chat in which something is new. Only the browser can open the message.
import type { Settings } from '@sealpost/contract';
import type { Reader, Store, Tx } from '../../platform/store/store.ts';
import type { SubscriberDefinition } from '../../platform/subscriber/log-subscriber.ts';
import { createDeliveries, type DeliveriesDeps } from './deliveries.ts';
import { pushHandlers } from './handlers.ts';
import { noticedChats, noticedTypes } from './noticed-chats.ts';
import * as q from './queries.ts';

export interface PushDeps extends DeliveriesDeps {
  readonly midOf: (reader: Reader, accountId: number) => Promise<string | undefined>;
  readonly settingsOf: (reader: Reader, accountId: number) => Promise<Settings | undefined>;
}

export type Push = ReturnType<typeof createPush>;

export function createPush(deps: PushDeps) {
  const { store, outbound, keys, midOf, settingsOf, liveSessions, isOpen } = deps;
  const { clock } = deps.ports;
  const deliveries = createDeliveries(deps);
  const end = new AbortController();

  const subscriber: SubscriberDefinition = {
    name: 'push',
    types: noticedTypes,
    async wanted(reader, accountIds) {
      const rows = await reader.each(
        q.subscribed,
        accountIds.map((id) => [id]),
      );
      return new Set(rows.map(({ account_id }) => account_id));
    },
    async handle(accountId, operations, signal) {
      const [mid, settings] = await store.read((reader) =>
        Promise.all([midOf(reader, accountId), settingsOf(reader, accountId)]),
      );
      if (mid === undefined || settings === undefined) return;
      const chats = noticedChats(operations, mid, settings, clock.now());
      if (chats.length === 0) return;
      if (await isOpen(accountId, signal)) return;
      const awake = await deliveries.awake(accountId);
      const pushes = awake.flatMap((row) =>
        chats
          .filter(({ createdTime }) => createdTime >= row.created_time)
          .map((news) => deliveries.push(row, news, signal)),
      );
      await Promise.all(pushes);
    },
  };

  return {
    subscriber,
    handlers: pushHandlers({ store, clock, outbound, publicKey: keys.publicKey }),
    /** Tries again the pushes that could not be sent. The upkeep calls this method regularly. */
    retryOwed: () => deliveries.retryOwed(end.signal),
    /** Removes the subscription of a session that ended. */
    endSession: (accountId: number, sessionId: number) => endSession(store, accountId, sessionId),
    /** Removes the subscriptions of an account's ended sessions, which a crash may have left. */
    async sweep(tx: Tx, accountId: number): Promise<void> {
      const rows = await tx.all(q.subscriptionsOf, accountId);
      if (rows.length === 0) return;
      const live = await liveSessions(tx, accountId);
      for (const { session_id } of rows) {
        if (!live.has(session_id)) await tx.run(q.deleteSubscription, accountId, session_id);
      }
    },
    close: () => end.abort(),
  };
}

const endSession = (store: Store, accountId: number, sessionId: number): Promise<void> =>
  store.transact((tx) => tx.run(q.deleteSubscription, accountId, sessionId));

/** Removes the subscriptions of a deleted account. */
export const forgetPush = (tx: Tx, accountId: number): Promise<void> => tx.run(q.deleteSubscriptionsOf, accountId);
