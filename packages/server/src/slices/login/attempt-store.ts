// Runs rate-limiter-flexible on the server's own store. So limits work on both databases, are shared by all servers of
// a database, survive restarts, and use the server's clock. If the store fails, the limit throws, and nobody can log
// in.

import type { Clock } from '@sealpost/contract/ports';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import StoreLimiterBase from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js';
import { hmac } from '../../platform/kernel/digest.ts';
import type { Store } from '../../platform/store/store.ts';
import type { ServerSecret } from '../sessions/index.ts';
import { type AttemptRow, addAttempts, deleteAttempts, deleteExpiredAttempts, findAttempts } from './queries.ts';

export interface AttemptStoreDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly secret: ServerSecret;
}

export interface AttemptStore {
  /** Returns a limiter that allows `points` per key within `duration` seconds from the first. */
  limiter(name: string, points: number, duration: number): RateLimiterAbstract;
  /** Removes expired counts. */
  sweep(): Promise<void>;
}

export function createAttemptStore({ store, clock, secret }: AttemptStoreDeps): AttemptStore {
  const secretKey = secret.key('attempts');
  const hashed = (key: string): string => hmac(secretKey, key).toString('base64url');

  /** Implements the hooks through which the library calls a store. */
  class StoreLimiter extends StoreLimiterBase<AttemptRow> {
    protected override _get(key: string): Promise<AttemptRow | undefined> {
      return store.read((reader) => reader.one(findAttempts, hashed(key), clock.now()));
    }

    protected override _upsert(key: string, points: number, durationMs: number): Promise<AttemptRow | undefined> {
      const now = clock.now();
      return store.transact((tx) => tx.one(addAttempts, hashed(key), points, now + durationMs, now, now));
    }

    protected override async _delete(key: string): Promise<boolean> {
      return (await store.transact((tx) => tx.one(deleteAttempts, hashed(key)))) !== undefined;
    }

    protected override _getRateLimiterRes(_key: string, changed: number, row: AttemptRow): RateLimiterRes {
      const { points: consumed, expires_time: expires } = row;
      const rest = Math.max(this.points - consumed, 0);
      return new RateLimiterRes(rest, Math.max(expires - clock.now(), 0), consumed, consumed === changed);
    }
  }

  return {
    limiter: (keyPrefix, points, duration) => new StoreLimiter({ keyPrefix, points, duration, storeClient: store }),
    sweep: () => store.transact((tx) => tx.run(deleteExpiredAttempts, clock.now())),
  };
}
