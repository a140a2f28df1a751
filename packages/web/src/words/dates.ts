// Formats dates and times in the language of the page.
import { intlLocale } from './languages.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

function format(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
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

/** Returns the name of a day, for the line above the messages of that day: today, yesterday, or a date. */
export function dayName(locale: string, time: number, now: number): string {
  const days = daysBetween(time, now);
  if (days === 0 || days === 1) {
    const relative = new Intl.RelativeTimeFormat(intlLocale(locale), { numeric: 'auto' }).format(-days, 'day');
    return relative.charAt(0).toLocaleUpperCase(intlLocale(locale)) + relative.slice(1);
  }
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return format(locale, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(!sameYear && { year: 'numeric' }),
  }).format(time);
}

export const longDate = (locale: string, time: number): string => format(locale, { dateStyle: 'long' }).format(time);

/** Returns date and time in full, for tooltips and screen readers. */
export const fullTime = (locale: string, time: number): string =>
  format(locale, { dateStyle: 'full', timeStyle: 'short' }).format(time);

/** Returns date and time in a form for lists of facts, such as "25 Nov 2026, 9:41". */
export const shortTime = (locale: string, time: number): string =>
  format(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(time);
