// Describes in words how far two clocks are apart, in the largest suitable unit.
import { intlLocale } from './languages.ts';

const UNITS = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const;
const SMALLEST = UNITS[2];

/** Returns a duration in days, hours or minutes, such as "3 hours". Its sign is ignored. */
export function timeApart(locale: string, ms: number): string {
  const { unit, ms: size } = UNITS.find(({ ms: most }) => Math.abs(ms) >= most) ?? SMALLEST;
  const count = Math.round(Math.abs(ms) / size);
  return new Intl.NumberFormat(intlLocale(locale), { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
