// Wraps the adapters of a server, so that their work is measured.
import type { Bus } from '../bus/bus.ts';
import type { SlowCrypto } from '../kernel/ports.ts';
import type { Objects } from '../objects/objects.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Store } from '../store/store.ts';
import type { Metrics } from './metrics.ts';

/** Counts the sends and other transactions that wait or run. */
export const measuredStore = (store: Store, metrics: Metrics): Store => ({
  ...store,
  transact: (work) => metrics.waiting('transactions', () => store.transact(work)),
  grouped(work, keysOf) {
    const send = store.grouped(work, keysOf);
    return (item) => metrics.waiting('sends', () => send(item));
  },
});

/** Counts the pieces of slow cryptography that wait or run. */
export const measuredCrypto = (crypto: SlowCrypto, metrics: Metrics): SlowCrypto => ({
  hashPassword: (...args) => metrics.waiting('slow-crypto', () => crypto.hashPassword(...args)),
  verifyPassword: (...args) => metrics.waiting('slow-crypto', () => crypto.verifyPassword(...args)),
  makeRsaPair: (...args) => metrics.waiting('slow-crypto', () => crypto.makeRsaPair(...args)),
  decryptRsa: (...args) => metrics.waiting('slow-crypto', () => crypto.decryptRsa(...args)),
});

/** Counts wake-ups in both directions. */
export const measuredBus = (bus: Bus, metrics: Metrics): Bus => ({
  ...bus,
  wake(kind, accountIds) {
    metrics.wakeUps('sent', accountIds.length);
    bus.wake(kind, accountIds);
  },
  onWake(listener) {
    bus.onWake((kind, accountId) => {
      metrics.wakeUps('received', 1);
      listener(kind, accountId);
    });
  },
});

/** Counts and times the calls to other servers. */
export const measuredOutbound = (outbound: Outbound, metrics: Metrics): Outbound => ({
  ...outbound,
  post: (url, call) => metrics.waiting('outbound', () => metrics.outboundCall(() => outbound.post(url, call))),
});

/** Times the work in the object store. A read is timed until its first bytes can be taken. */
export const measuredObjects = (objects: Objects, metrics: Metrics): Objects => {
  const { link } = objects;
  return {
    ...objects,
    append: (...args) => metrics.objectWork('append', () => objects.append(...args)),
    publish: (...args) => metrics.objectWork('publish', () => objects.publish(...args)),
    read: (...args) => metrics.objectWork('read', () => objects.read(...args)),
    remove: (...args) => metrics.objectWork('remove', () => objects.remove(...args)),
    quarantine: (...args) => metrics.objectWork('quarantine', () => objects.quarantine(...args)),
    bringBack: (...args) => metrics.objectWork('bring-back', () => objects.bringBack(...args)),
    page: (...args) => metrics.objectWork('list', () => objects.page(...args)),
    ...(link && { link: (...args) => metrics.objectWork('link', () => link(...args)) }),
  };
};
