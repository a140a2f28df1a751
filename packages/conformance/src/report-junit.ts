// Writes the report of a run for CI, with a suite for each topic.
import { type JunitCase, junitDocument } from './junit-document.ts';
import { topicsOf } from './report-text.ts';
import type { Outcome, Report } from './run.ts';

export function junitReport({ outcomes, milliseconds }: Report, repeat: (id: string) => string): string {
  const suites = topicsOf(outcomes).map(([name, own]) => ({ name, cases: own.map((one) => caseOf(one, repeat)) }));
  return junitDocument('conformance', milliseconds, suites);
}

function caseOf({ check, milliseconds, failure }: Outcome, repeat: (id: string) => string): JunitCase {
  const passed = { className: check.endpoint, name: `${check.id}: ${check.expects}`, milliseconds };
  if (!failure) return passed;
  const detail = [
    `specification: ${check.heading}`,
    `expected: ${failure.expected}`,
    `came: ${failure.seen}`,
    `again: ${repeat(check.id)}`,
  ].join('\n');
  return { ...passed, failure: { message: `expected ${failure.expected}`, detail } };
}
