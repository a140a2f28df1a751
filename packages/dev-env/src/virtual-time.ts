// Time that passes only when a test says so, for a server and its clients alike.
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock, Timer, Timers } from '@sealpost/contract/ports';

interface Due {
  at: number;
  readonly run: () => void;
  /** The interval of a regular timer. */
  readonly every?: number;
}

export interface VirtualTime extends Clock {
  readonly timers: Timers;
  /** For `startServer` and `createClient`. `advance` waits for what goes through its `fetch`. */
  readonly ports: { readonly clock: Clock; readonly timers: Timers; readonly fetch: typeof fetch };
  /** Lets time pass without any timer going off, as in a machine that sleeps. */
  move(ms: number): void;
  /** Whether any timer is set. */
  waits(): boolean;
  /** Goes to the next timer and lets it go off; false if that is later than `until`. */
  step(until: number): boolean;
  /**
   * Lets time pass with every timer going off at its time. Calls that are under way are answered first, so that none
   * meets its time limit only because virtual time is faster. Streams are not waited for; for a call that waits for
   * time itself, as a long poll does, give the client another `fetch`.
   */
  advance(ms: number): Promise<void>;
}

/** Starts at the real time, so that clients without it never find a renewal due. */
export function virtualTime(start = Date.now()): VirtualTime {
  let now = start;
  let underWay = 0;
  const dues = new Set<Due>();
  const nextDue = (): Due | undefined =>
    [...dues].reduce<Due | undefined>((first, due) => (first && first.at <= due.at ? first : due), undefined);

  function set(ms: number, run: () => void, every?: number): Timer {
    // Whole milliseconds, as real clocks tell them.
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
