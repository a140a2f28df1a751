// Runs rate-limiter-flexible on the server's own store. So limits work on both kinds of databases, are shared by all
// servers of a database, survive restarts, and use the server's clock. If the store fails, the check of a limit throws,
// and nobody can log in.

import type { Clock } from '@sealpost/contract/ports';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import StoreLimiterBase from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js';
import { hmac } from '../../platform/kernel/digest.ts';
import type { Reader, Store, Tx } from '../../platform/store/store.ts';
import type { ServerSecret } from '../sessions/index.ts';
import { type AttemptRow, addAttempts, deleteAttempts, deleteExpiredAttempts, findAttempts } from './queries.ts';

export interface AttemptStoreDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly secret: ServerSecret;
}

export interface AttemptCount {
  readonly points: number;
  /** Milliseconds until the count starts again. */
  readonly leftMs: number;
}

export interface AttemptStore {
  /** Returns a limiter that allows `points` attempts per key within `duration` seconds from the first attempt. */
  limiter(name: string, points: number, duration: number): RateLimiterAbstract;
  /** Returns a count that has not expired; undefined if there is none. */
  find(reader: Reader, key: string): Promise<AttemptCount | undefined>;
  /**
   * Counts one within a transaction, for `durationMs` from the first. If the transaction fails, nothing is counted.
   */
  countIn(tx: Tx, key: string, durationMs: number): Promise<AttemptCount>;
  /** Removes expired counts. */
  sweep(): Promise<void>;
}

export function createAttemptStore({ store, clock, secret }: AttemptStoreDeps): AttemptStore {
  const secretKey = secret.key('attempts');
  const hashed = (key: string): string => hmac(secretKey, key).toString('base64url');

  const countOf = ({ points, expires_time: expires }: AttemptRow): AttemptCount => ({
    points,
    leftMs: Math.max(expires - clock.now(), 0),
  });

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
    async find(reader, key) {
      const row = await reader.one(findAttempts, hashed(key), clock.now());
      return row && countOf(row);
    },
    async countIn(tx, key, durationMs) {
      const now = clock.now();
      const row = await tx.one(addAttempts, hashed(key), 1, now + durationMs, now, now);
      if (!row) throw new Error('counting returned no row');
      return countOf(row);
    },
    limiter: (keyPrefix, points, duration) => new StoreLimiter({ keyPrefix, points, duration, storeClient: store }),
    sweep: () => store.transact((tx) => tx.run(deleteExpiredAttempts, clock.now())),
  };
}
