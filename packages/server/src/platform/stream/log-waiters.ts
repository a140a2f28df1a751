// Calls such as long polls that wait for an account's log to grow.
import type { LogReads } from './log-reads.ts';

export interface LogWaiters {
  /** Wakes the waiters of an account, which may have something new. */
  wake(accountId: number): void;
  /** Resolves when the account's log has grown beyond a revision, or when `signal` aborts. */
  changed(accountId: number, revision: number, signal: AbortSignal): Promise<void>;
  /** Returns the accounts that have waiters. */
  accounts(): Iterable<number>;
}

export function createLogWaiters(reads: LogReads): LogWaiters {
  const waiters = new Map<number, Set<() => void>>();

  /** Returns true if the log has grown beyond the revision. Otherwise, waits for one wake-up and returns false. */
  async function grew(accountId: number, revision: number, signal: AbortSignal): Promise<boolean> {
    const own = waiters.get(accountId) ?? new Set();
    waiters.set(accountId, own);
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = (): void => resolve();
    own.add(resolve);
    signal.addEventListener('abort', stop, { once: true });
    try {
      // The log is read after the waiter is registered. Otherwise, a change between these two steps would be missed.
      const head = await reads.head(accountId);
      if (head.revision > revision) return true;
      if (!signal.aborted) await promise;
      return false;
    } finally {
      signal.removeEventListener('abort', stop);
      own.delete(resolve);
      if (own.size === 0 && waiters.get(accountId) === own) waiters.delete(accountId);
    }
  }

  return {
    wake(accountId) {
      const waiting = waiters.size > 0 ? waiters.get(accountId) : undefined;
      if (waiting) for (const resolve of [...waiting]) resolve();
    },
    async changed(accountId, revision, signal) {
      // A wake-up does not always mean a longer log, so the log is checked again.
      let there = false;
      while (!there && !signal.aborted) there = await grew(accountId, revision, signal);
    },
    accounts: () => waiters.keys(),
  };
}
