// The timers of a server, to see which ones run, to hold some back, and to let them go off.
import type { Timer, Timers } from '@sealpost/contract/ports';
import { systemPorts } from '@sealpost/server/internal';

interface Running {
  readonly ms: number;
  readonly run: () => void;
  held: boolean;
}

export interface WatchedTimers {
  readonly timers: Timers;
  /** How many timers of this length run now. */
  count(ms: number): number;
  /** Timers of this length that are set from now on go off by `fire` alone. */
  hold(ms: number): void;
  /** They go off by themselves again. */
  release(ms: number): void;
  fire(ms: number): void;
}

export function watchedTimers(): WatchedTimers {
  const running = new Set<Running>();
  const holds = new Set<number>();
  const of = (ms: number) => [...running].filter((timer) => timer.ms === ms);

  function watch(set: Timers['after'], ms: number, run: () => void, once: boolean): Timer {
    const entry: Running = { ms, run, held: holds.has(ms) };
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
