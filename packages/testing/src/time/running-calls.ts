// Tracks the calls that run at this moment. Virtual time must not move while one of them works. It must move while all
// of them wait for timers.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Timer, Timers } from '@sealpost/contract/ports';

interface RunningCall {
  /** The number of timers that the call waits for. */
  timers: number;
}

export interface RunningCalls {
  /** Runs the steps of a call. The call counts as running until they end. */
  run(steps: () => Promise<void>): Promise<void>;
  /** Returns true if at least one running call does not wait for a timer. */
  busy(): boolean;
  /** Wraps timers, so that each timer counts for the call that sets it. */
  timers(timers: Timers): Timers;
}

export function createRunningCalls(): RunningCalls {
  const running = new Set<RunningCall>();
  const storage = new AsyncLocalStorage<RunningCall>();

  /** Sets a timer, and counts it as one that the call waits for. */
  function held(call: RunningCall, set: (done: () => void) => Timer): Timer {
    call.timers += 1;
    let waits = true;
    const done = (): void => {
      if (waits) call.timers -= 1;
      waits = false;
    };
    const timer = set(done);
    return {
      cancel() {
        done();
        timer.cancel();
      },
    };
  }

  return {
    async run(steps) {
      const call: RunningCall = { timers: 0 };
      running.add(call);
      try {
        await storage.run(call, steps);
      } finally {
        running.delete(call);
      }
    },
    busy: () => [...running].some(({ timers }) => timers === 0),
    timers: ({ after, every }) => ({
      after(ms, run, options) {
        const call = storage.getStore();
        if (!call) return after(ms, run, options);
        return held(call, (done) =>
          after(
            ms,
            () => {
              done();
              run();
            },
            options,
          ),
        );
      },
      every(ms, run, options) {
        const call = storage.getStore();
        return call ? held(call, () => every(ms, run, options)) : every(ms, run, options);
      },
    }),
  };
}
