// Computes when a pause of notifications ends.

const HOUR_MS = 3_600_000;
const MORNING_HOUR = 8;

/**
 * Returns when a pause that begins now ends, in epoch milliseconds.
 * @param now the current time, in epoch milliseconds
 */
export function pauseEnd(length: 'hour' | 'workday' | 'morning', now: number): number {
  if (length !== 'morning') return now + (length === 'hour' ? HOUR_MS : 8 * HOUR_MS);
  const morning = new Date(now);
  morning.setDate(morning.getDate() + 1);
  return morning.setHours(MORNING_HOUR, 0, 0, 0);
}
