// Formats times for the pages.
import { intlLocale } from '../../words/languages.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Returns how long ago something was, such as "3 minutes ago". */
export function ago(locale: string, time: number, now: number): string {
  const ms = Math.max(0, now - time);
  const format = new Intl.RelativeTimeFormat(intlLocale(locale), { numeric: 'auto' });
  const [unit, size] = UNITS.find(([, least]) => ms >= least) ?? ['second', 1000];
  return format.format(unit === 'second' ? 0 : -Math.floor(ms / size), unit);
}

export const clockTime = (locale: string, time: number): string =>
  new Intl.DateTimeFormat(intlLocale(locale), { hour: 'numeric', minute: '2-digit' }).format(time);

export const count = (locale: string, value: number, digits = 0): string =>
  new Intl.NumberFormat(intlLocale(locale), { maximumFractionDigits: digits }).format(value);
