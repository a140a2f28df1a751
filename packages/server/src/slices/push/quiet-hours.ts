import type { QuietHours } from '@sealpost/contract';

/** Returns whether a text is a time of day in the form 22:30. */
export const isTimeOfDay = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

/** Returns whether the runtime knows a time zone. */
export function isTimeZone(timeZone: string): boolean {
  try {
    clockOf(timeZone);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether a time in epoch milliseconds lies in the quiet hours. The time `to` itself is outside of them. */
export function isQuiet({ from, to, timeZone }: QuietHours, now: number): boolean {
  const time = clockOf(timeZone).format(now);
  return from <= to ? from <= time && time < to : from <= time || time < to;
}

const clockOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
