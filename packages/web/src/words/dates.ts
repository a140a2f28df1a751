// Formats dates and times in the language of the page.
import { intlLocale } from './languages.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

export function format(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const made = formats.get(key) ?? new Intl.DateTimeFormat(intlLocale(locale), options);
  formats.set(key, made);
  return made;
}

const DAY_MS = 86_400_000;

const startOfDay = (time: number): number => new Date(time).setHours(0, 0, 0, 0);

/** Returns the number of calendar days between two times. */
export const daysBetween = (earlier: number, later: number): number =>
  Math.round((startOfDay(later) - startOfDay(earlier)) / DAY_MS);

export const timeOfDay = (locale: string, time: number): string =>
  format(locale, { hour: 'numeric', minute: '2-digit' }).format(time);

/** Returns the time of a chat's last change in a short form for lists: a time of day, a weekday, or a date. */
export function listTime(locale: string, time: number, now: number): string {
  const days = daysBetween(time, now);
  if (days <= 0) return timeOfDay(locale, time);
  if (days < 7) return format(locale, { weekday: 'short' }).format(time);
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return format(locale, { month: 'short', day: 'numeric', ...(!sameYear && { year: 'numeric' }) }).format(time);
}
