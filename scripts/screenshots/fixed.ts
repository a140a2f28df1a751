// The time and the chance of the screenshots: both are the same in every run.
import { createHash } from 'node:crypto';
import type { Clock, Random } from '@sealpost/contract/ports';

/** When the screenshots are taken: a Tuesday morning. */
export const NOW = Date.UTC(2026, 4, 12, 9, 41);
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

export interface StoryClock extends Clock {
  /** Sets the time to so many minutes before the pictures are taken. It never goes back. */
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

/** Returns how many minutes before the pictures a time of an earlier day was; of the same day without `days`. */
export function ago(time: `${number}:${number}`, days = 0): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const taken = new Date(NOW);
  return days * DAY_MINUTES + (taken.getUTCHours() - hour) * 60 + taken.getUTCMinutes() - minute;
}

/** Returns a source of bytes that are the same in every run. */
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
