// Who waits for a log to grow, as long polls do.
import type { LogReads } from './log-reads.ts';

export interface LogWaiters {
  /** Something may be new for this account. */
  wake(accountId: number): void;
  /** Resolves when the account's log grew beyond a revision, or when `signal` aborts. */
  changed(accountId: number, revision: number, signal: AbortSignal): Promise<void>;
  /** The accounts that somebody waits for. */
  accounts(): Iterable<number>;
}

export function createLogWaiters(reads: LogReads): LogWaiters {
  const waiters = new Map<number, Set<() => void>>();

  /** Waits for one wake-up at most; answers whether the log was longer before that. */
  async function grew(accountId: number, revision: number, signal: AbortSignal): Promise<boolean> {
    const own = waiters.get(accountId) ?? new Set();
    waiters.set(accountId, own);
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = (): void => resolve();
    own.add(resolve);
    signal.addEventListener('abort', stop, { once: true });
    try {
      // The look comes after the wish is noted, so that nothing is missed between the two.
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
      // A wake-up may be about something else, and the poll of the log wakes whoever waits: then it waits on.
      let there = false;
      while (!there && !signal.aborted) there = await grew(accountId, revision, signal);
    },
    accounts: () => waiters.keys(),
  };
}
