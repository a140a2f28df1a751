// Runs work in the background, now or later, and ends all of it together.
import type { Timer, Timers } from '@sealpost/contract/ports';

export interface Errands {
  /** Aborts when `close` is called. */
  readonly signal: AbortSignal;
  begin(work: () => Promise<void>): void;
  /** Begins work after some time, unless `close` is called before. */
  later(ms: number, work: () => Promise<void>): void;
  /** Begins no further work, and waits until running work has ended. */
  close(): Promise<void>;
}

/** @param onError called with each error of the work, except errors after `close` */
export function createErrands(timers: Timers, onError: (error: unknown) => void): Errands {
  const closing = new AbortController();
  const waiting = new Set<Timer>();
  const running = new Set<Promise<void>>();

  function begin(work: () => Promise<void>): void {
    const done = work()
      .catch((error: unknown) => {
        if (!closing.signal.aborted) onError(error);
      })
      .finally(() => running.delete(done));
    running.add(done);
  }

  return {
    signal: closing.signal,
    begin,
    later(ms, work) {
      if (closing.signal.aborted) return;
      const fire = (): void => {
        waiting.delete(timer);
        begin(work);
      };
      const timer = timers.after(ms, fire, { background: true });
      waiting.add(timer);
    },
    async close() {
      closing.abort();
      for (const timer of waiting) timer.cancel();
      while (running.size > 0) await Promise.all(running);
    },
  };
}
