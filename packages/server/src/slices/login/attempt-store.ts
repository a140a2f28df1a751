// Limits of rate-limiter-flexible over our own store: both databases, shared by all servers on one of them, kept over
// restarts, on the server's clock. When the store does not answer, neither does the limit, and nobody is let in.

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
  /** A limit of `points` within a time in seconds, counted from the first one. */
  limiter(name: string, points: number, duration: number): RateLimiterAbstract;
  /** Forgets what is over. */
  sweep(): Promise<void>;
}

export function createAttemptStore({ store, clock, secret }: AttemptStoreDeps): AttemptStore {
  const secretKey = secret.key('attempts');
  const hashed = (key: string): string => hmac(secretKey, key).toString('base64url');

  /** The hooks that the library leaves to a store. */
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
