// Time that passes only when a test says so, for the server and for the clients.
import { performance } from 'node:perf_hooks';
import type { Timers } from '@sealpost/sdk';

interface Due {
  readonly at: number;
  readonly callback: () => void;
}

export interface VirtualTime {
  now(): number;
  /** For `startServer`: its clock. Its timers stay real, for they only keep things tidy. */
  readonly clock: { now(): number; monotonic(): number };
  /** Timers for a client: renewals wait for virtual time, back-off does not wait, time limits are real. */
  timers(): Timers;
  /** Lets time pass without any timer going off, as in a machine that sleeps. */
  sleep(ms: number): void;
  /** Whether any timer is set. */
  waits(): boolean;
  /** Goes to the next timer and lets it go off; false if that is later than `until`. */
  step(until: number): boolean;
}

const TIME_LIMIT_MS = 30_000;

/** Starts at the real time, so that clients without it never find a renewal due. */
export function virtualTime(): VirtualTime {
  let now = Date.now();
  const dues = new Set<Due>();
  const nextDue = (): Due | undefined =>
    [...dues].reduce<Due | undefined>((first, due) => (first && first.at <= due.at ? first : due), undefined);

  return {
    now: () => now,
    clock: { now: () => now, monotonic: () => performance.now() },
    timers: () => ({
      after(ms, callback, options) {
        if (!options?.background) {
          const timer = setTimeout(callback, ms >= TIME_LIMIT_MS ? ms : 1);
          return () => clearTimeout(timer);
        }
        const due = { at: now + ms, callback };
        dues.add(due);
        return () => dues.delete(due);
      },
    }),
    sleep(ms) {
      now += ms;
    },
    waits: () => dues.size > 0,
    step(until) {
      const due = nextDue();
      if (!due || due.at > until) return false;
      dues.delete(due);
      now = Math.max(now, due.at);
      due.callback();
      return true;
    },
  };
}
