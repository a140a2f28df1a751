// Timers for a server under test. A test can count the running timers, hold timers back, and fire them.
import type { Timer, Timers } from '@sealpost/contract/ports';
import { systemPorts } from '@sealpost/server/internal';

interface RunningTimer {
  readonly ms: number;
  readonly run: () => void;
  held: boolean;
}

export interface WatchedTimers {
  readonly timers: Timers;
  /** Returns the number of running timers with this length in milliseconds. */
  count(ms: number): number;
  /** Holds back all timers of this length that are set from now on. Only `fire` fires them. */
  hold(ms: number): void;
  /** Lets timers of this length fire by themselves again. */
  release(ms: number): void;
  fire(ms: number): void;
}

export function watchedTimers(): WatchedTimers {
  const running = new Set<RunningTimer>();
  const holds = new Set<number>();
  const of = (ms: number) => [...running].filter((timer) => timer.ms === ms);

  function watch(set: Timers['after'], ms: number, run: () => void, once: boolean): Timer {
    const entry: RunningTimer = { ms, run, held: holds.has(ms) };
    running.add(entry);
    const timer = set(ms, () => {
      if (entry.held) return;
      if (once) running.delete(entry);
      run();
    });
    return {
      cancel() {
        running.delete(entry);
        timer.cancel();
      },
    };
  }

  return {
    timers: {
      after: (ms, run) => watch(systemPorts.timers.after, ms, run, true),
      every: (ms, run) => watch(systemPorts.timers.every, ms, run, false),
    },
    count: (ms) => of(ms).length,
    hold: (ms) => void holds.add(ms),
    release(ms) {
      holds.delete(ms);
      for (const timer of of(ms)) timer.held = false;
    },
    fire(ms) {
      for (const timer of of(ms)) timer.run();
    },
  };
}
