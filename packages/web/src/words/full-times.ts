// Formats dates and times for conversations and lists of facts. They are apart from the other formats, because the list of chats does not need them.
import { daysBetween, format } from './dates.ts';
import { intlLocale } from './languages.ts';

export const longDate = (locale: string, time: number): string => format(locale, { dateStyle: 'long' }).format(time);

/** Returns a date and a time of day in a short form, such as "25 Nov 2026, 9:41". */
export const shortTime = (locale: string, time: number): string =>
  format(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(time);

/** Returns date and time in full, for tooltips and screen readers. */
export const fullTime = (locale: string, time: number): string =>
  format(locale, { dateStyle: 'full', timeStyle: 'short' }).format(time);

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
