import type { Report } from './run.ts';

/** Returns the report for programs, as a value to convert to JSON. */
export function jsonReport({ target, outcomes, milliseconds }: Report, repeat: (id: string) => string) {
  const failed = outcomes.filter(({ failure }) => failure).length;
  return {
    url: target.url,
    brand: target.brand,
    signature: target.signature,
    milliseconds,
    passed: outcomes.length - failed,
    failed,
    checks: outcomes.map(({ check: { run: _run, ...check }, milliseconds: took, failure }) => ({
      ...check,
      milliseconds: took,
      passed: failure === undefined,
      ...(failure && { ...failure, again: repeat(check.id) }),
    })),
  };
}
