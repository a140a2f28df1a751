// Time that passes only when a test says so, for a server and its clients.
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock, Timer, Timers } from '@sealpost/contract/ports';

interface Due {
  at: number;
  readonly run: () => void;
  /** The interval of a repeated timer, in milliseconds; undefined for a timer that fires once. */
  readonly every?: number;
}

export interface VirtualTime extends Clock {
  readonly timers: Timers;
  /** The ports for `startServer` and `createRpcClient`. `advance` waits for requests that go through this `fetch`. */
  readonly ports: { readonly clock: Clock; readonly timers: Timers; readonly fetch: typeof fetch };
  /** Moves the time without firing any timer, like a machine that sleeps. */
  move(ms: number): void;
  /** Returns whether any timer is set. */
  waits(): boolean;
  /** Moves the time to the next timer, and fires it. Returns false if that timer is later than `until`. */
  step(until: number): boolean;
  /**
   * Moves the time, and fires every timer at its time. Waits for running calls first, because virtual time could
   * otherwise reach the time limits of these calls at once. Does not wait for streams. A call that itself waits for
   * time, such as a long poll, must use another `fetch`, because `advance` would wait for its answer.
   */
  advance(ms: number): Promise<void>;
}

/**
 * Creates virtual time. By default, it starts at the real time, because a client with real time would otherwise renew
 * its tokens.
 */
export function virtualTime(start = Date.now()): VirtualTime {
  let now = start;
  let underWay = 0;
  const dues = new Set<Due>();
  const nextDue = (): Due | undefined =>
    [...dues].reduce<Due | undefined>((first, due) => (first && first.at <= due.at ? first : due), undefined);

  function set(ms: number, run: () => void, every?: number): Timer {
    // The time is rounded up to whole milliseconds, as in real clocks.
    const due: Due = { at: now + Math.max(0, Math.ceil(ms)), run, ...(every !== undefined && { every }) };
    dues.add(due);
    return { cancel: () => void dues.delete(due) };
  }

  function step(until: number): boolean {
    const due = nextDue();
    if (!due || due.at > until) return false;
    now = Math.max(now, due.at);
    if (due.every === undefined) dues.delete(due);
    else due.at = now + due.every;
    due.run();
    return true;
  }

  async function settled(): Promise<void> {
    do await turn();
    while (underWay > 0);
  }

  const clock: Clock = { now: () => now, monotonic: () => now - start };
  const timers: Timers = {
    after: (ms, run) => set(ms, run),
    every: (ms, run) => set(ms, run, Math.max(1, Math.ceil(ms))),
  };
  return {
    ...clock,
    timers,
    ports: {
      clock,
      timers,
      async fetch(input, init) {
        underWay += 1;
        try {
          return await fetch(input, init);
        } finally {
          underWay -= 1;
        }
      },
    },
    move(ms) {
      now += ms;
    },
    waits: () => dues.size > 0,
    step,
    async advance(ms) {
      const until = now + ms;
      do await settled();
      while (step(until));
      now = Math.max(now, until);
    },
  };
}
