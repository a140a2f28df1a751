// Chooses the times at which people talk: mostly in the evening of their local day, more at weekends, hardly at night.
import type { Chance } from './chance.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Relative number of conversations in each hour of a day, from midnight on. */
const HOURS = [2, 1, 0, 0, 0, 1, 4, 8, 10, 8, 7, 8, 12, 9, 7, 7, 8, 10, 13, 15, 16, 14, 10, 5] as const;
const WEEKEND = 1.4;
/** Share of the conversations that are in the last days, so that chat lists begin with today and yesterday. */
const RECENT = 0.04;
const RECENT_DAYS = 3;

/**
 * Returns a time between two times at which people might talk.
 * @param hoursAhead by how many hours the people's local time is ahead of UTC
 */
export function timeOfTalk(chance: Chance, from: number, to: number, hoursAhead: number): number {
  const begin = chance.happens(RECENT) ? Math.max(from, to - RECENT_DAYS * DAY) : from;
  const most = Math.max(...HOURS) * WEEKEND;
  for (;;) {
    const time = Math.floor(begin + chance.fraction() * (to - begin));
    const local = new Date(time + hoursAhead * HOUR);
    const weekend = local.getUTCDay() % 6 === 0 ? WEEKEND : 1;
    if (chance.happens(((HOURS[local.getUTCHours()] ?? 0) * weekend) / most)) return time;
  }
}
