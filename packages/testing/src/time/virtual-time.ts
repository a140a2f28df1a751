// Time that passes only when a test says so, for a server and its clients.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Timer, TimerOptions, Timers } from '@sealpost/contract/ports';

/** Waits for one turn of the event loop, in which everything that is ready runs. */
export const turn = (): Promise<void> => nextTurn();

/** Maximum number of times that a coarse repeated timer fires during one `advance`. */
const COARSE_STEPS = 100;

interface Due {
  at: number;
  /** The earlier time of a coarse repeated timer, which holds as soon as the timer is not coarse any more. */
  soonest?: number;
  readonly run: () => void;
  /** The interval of a repeated timer, in milliseconds; undefined for a timer that fires once. */
  readonly every?: number;
  readonly coarse: () => boolean;
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
   * Moves the time, and fires every timer that is due on the way. Waits for running calls before each step, because
   * they could otherwise reach their time limits at once. Does not wait for streams. A call that itself waits for time
   * to pass, such as a long poll, must not use the `fetch` of this clock. Otherwise `advance` waits for its answer.
   */
  advance(ms: number): Promise<void>;
}

/**
 * Creates virtual time. By default, it starts at the real time, because a client that uses the real clock would
 * otherwise renew its tokens.
 * @param busy returns true while something runs that `advance` must wait for, besides calls through `ports.fetch`
 */
export function virtualTime(start = Date.now(), busy: () => boolean = () => false): VirtualTime {
  let now = start;
  let underWay = 0;
  const dues = new Set<Due>();
  /** Minimum number of milliseconds between two calls of a coarse repeated timer. Set by `advance`. */
  let stride = 0;

  function set(ms: number, run: () => void, { coarse = () => false }: TimerOptions = {}, every?: number): Timer {
    // Rounded up to whole milliseconds, as real timers do.
    const due: Due = { at: now + Math.max(0, Math.ceil(ms)), run, coarse, ...(every !== undefined && { every }) };
    dues.add(due);
    return { cancel: () => void dues.delete(due) };
  }

  function again(due: Due, every: number): void {
    due.at = now + every;
    if (stride <= every || !due.coarse()) return;
    due.soonest = due.at;
    due.at = now + stride;
  }

  function step(until: number): boolean {
    const due = earliest(dues, now);
    if (!due || due.at > until) return false;
    now = Math.max(now, due.at);
    if (due.every === undefined) dues.delete(due);
    else again(due, due.every);
    due.run();
    return true;
  }

  async function settled(): Promise<void> {
    do await nextTurn();
    while (underWay > 0 || busy());
  }

  const clock: Clock = { now: () => now, monotonic: () => now - start };
  const timers: Timers = {
    after: (ms, run, options) => set(ms, run, options),
    every: (ms, run, options) => set(ms, run, options, Math.max(1, Math.ceil(ms))),
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
      stride = ms / COARSE_STEPS;
      do await settled();
      while (step(until));
      now = Math.max(now, until);
    },
  };
}

/** Returns the timer that is due first. Of several, it is the one that was set first. */
function earliest(dues: Iterable<Due>, now: number): Due | undefined {
  let first: Due | undefined;
  for (const due of dues) {
    // Work has come for a timer that had nothing to do, such as the pings of streams.
    if (due.soonest !== undefined && !due.coarse()) {
      due.at = Math.max(now, due.soonest);
      delete due.soonest;
    }
    if (!first || due.at < first.at) first = due;
  }
  return first;
}
