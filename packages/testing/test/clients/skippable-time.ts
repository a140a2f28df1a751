// Time that passes by itself, and that a test can move: every timer on the way fires at its time.
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock, Timer, Timers } from '@sealpost/contract/ports';

export interface SkippableTime {
  readonly clock: Clock;
  readonly timers: Timers;
  /** A `fetch` whose calls `pass` waits for; streams and long polls are not waited for. */
  readonly fetch: typeof fetch;
  pass(ms: number): Promise<void>;
  /** Cancels all timers. */
  stop(): void;
}

interface Due {
  at: number;
  readonly run: () => void;
  readonly every?: number;
  handle: NodeJS.Timeout;
}

const WAITING = /\/operation\/receive|\/long-polling\//;

export function skippableTime(): SkippableTime {
  let skipped = 0;
  let underWay = 0;
  const dues = new Set<Due>();
  const monotonic = (): number => performance.now() + skipped;

  function arm(due: Due): void {
    clearTimeout(due.handle);
    due.handle = setTimeout(() => fire(due), Math.max(0, due.at - monotonic()));
  }

  function fire(due: Due): void {
    clearTimeout(due.handle);
    if (!dues.has(due)) return;
    if (due.every === undefined) dues.delete(due);
    else {
      due.at += due.every;
      arm(due);
    }
    due.run();
  }

  function set(ms: number, run: () => void, every?: number): Timer {
    const wait = Math.min(Math.max(ms, 0), 2 ** 31 - 1);
    const due: Due = {
      at: monotonic() + wait,
      run,
      ...(every !== undefined && { every }),
      handle: setTimeout(() => {}),
    };
    dues.add(due);
    arm(due);
    return {
      cancel() {
        dues.delete(due);
        clearTimeout(due.handle);
      },
    };
  }

  async function settled(): Promise<void> {
    do for (let turns = 0; turns < 5; turns++) await turn();
    while (underWay > 0);
  }

  return {
    clock: { now: () => Math.round(Date.now() + skipped), monotonic },
    timers: { after: (ms, run) => set(ms, run), every: (ms, run) => set(ms, run, Math.max(1, ms)) },
    async fetch(input, init) {
      if (WAITING.test(String(input))) return fetch(input, init);
      underWay += 1;
      try {
        return await fetch(input, init);
      } finally {
        underWay -= 1;
      }
    },
    async pass(ms) {
      const until = monotonic() + ms;
      for (;;) {
        await settled();
        const next = [...dues].reduce<Due | undefined>(
          (first, due) => (first && first.at <= due.at ? first : due),
          undefined,
        );
        if (!next || next.at > until) break;
        skipped += Math.max(0, next.at - monotonic());
        fire(next);
      }
      skipped += Math.max(0, until - monotonic());
      for (const due of dues) arm(due);
      await settled();
    },
    stop() {
      for (const { handle } of dues) clearTimeout(handle);
      dues.clear();
    },
  };
}
