// The time and the random numbers of the screenshots. Both are the same in every run.
import { createHash } from 'node:crypto';
import type { Clock, Random } from '@sealpost/contract/ports';

/** The time at which the screenshots are taken: a Tuesday morning. */
export const NOW = Date.UTC(2026, 4, 12, 9, 41);
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

export interface StoryClock extends Clock {
  /** Sets the time to this many minutes before the screenshots are taken. The time must not go back. */
  minutesBefore(minutes: number): void;
}

export function storyClock(): StoryClock {
  let now = NOW - 14 * DAY_MINUTES * MINUTE_MS;
  return {
    now: () => now,
    monotonic: () => performance.now(),
    minutesBefore(minutes) {
      now = Math.max(now, NOW - minutes * MINUTE_MS);
    },
  };
}

/**
 * Returns the number of minutes between a time of day and the screenshots. `days` is the number of days before the
 * screenshots; by default, the time is on the same day.
 */
export function ago(time: `${number}:${number}`, days = 0): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const taken = new Date(NOW);
  return days * DAY_MINUTES + (taken.getUTCHours() - hour) * 60 + taken.getUTCMinutes() - minute;
}

/** Returns a random source whose bytes are the same in every run. */
export function seededRandom(seed: string): Random {
  let drawn = 0;
  return {
    bytes(length) {
      const blocks = Array.from({ length: Math.ceil(length / 32) }, () =>
        createHash('sha256').update(`${seed} ${drawn++}`).digest(),
      );
      return new Uint8Array(Buffer.concat(blocks).subarray(0, length));
    },
  };
}
