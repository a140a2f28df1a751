// Formats numbers and sizes in the language of the page.
import { intlLocale } from './languages.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
const STEP = 1000;

export function fileSize(locale: string, bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(STEP)));
  return new Intl.NumberFormat(intlLocale(locale), {
    style: 'unit',
    unit: UNITS[power] as string,
    unitDisplay: 'short',
    maximumFractionDigits: power > 1 ? 1 : 0,
  }).format(bytes / STEP ** power);
}

/** Returns a duration as minutes and seconds. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Joins names into a list as is usual in the language. In English, it has commas and an "and". */
export const listOf = (locale: string, names: readonly string[]): string =>
  new Intl.ListFormat(intlLocale(locale), { type: 'conjunction' }).format(names);
