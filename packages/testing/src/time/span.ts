// Time spans in short form, such as `90s`.
import type { Span } from '@sealpost/contract/workbench';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Returns a span in milliseconds. The span is a number of milliseconds, or a text such as `90s` or `25h`.
 * @throws Error if the text is not a span
 */
export function millisOf(span: Span): number {
  const [, count, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(String(span)) ?? [];
  if (typeof span === 'number' && span >= 0) return span;
  if (count === undefined || unit === undefined)
    throw new Error(
      `${JSON.stringify(span)} is not a time span: write milliseconds, or a number with ms, s, m, h or d`,
    );
  return Number(count) * (UNITS[unit] as number);
}
