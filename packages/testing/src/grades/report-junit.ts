// Writes the grades for CI, with a suite for each topic. A scenario that was not reached is a skipped test.
import { type JunitCase, junitDocument } from '@sealpost/conformance/report';
import { byTopic } from './report-text.ts';
import type { GradedScenario, GradeReport } from './run.ts';

export function gradesJunit({ graded, milliseconds }: GradeReport, repeat: (id: string) => string): string {
  const suites = byTopic(graded).map(([name, own]) => ({ name, cases: own.map((one) => caseOf(one, repeat)) }));
  return junitDocument('grades', milliseconds, suites);
}

function caseOf({ scenario, grade, milliseconds, output }: GradedScenario, repeat: (id: string) => string): JunitCase {
  const { basis, consequence, id, title, topic } = scenario;
  const played = { className: topic, name: `${id}: ${title}`, milliseconds };
  if (grade.kind === 'pass') return played;
  if (grade.kind === 'not reached') {
    return { ...played, skipped: `not reached: ${grade.instead}. To reach it: ${grade.reach}` };
  }
  const detail = [
    `specification: ${basis.heading}: ${basis.fact}`,
    `expected: ${grade.expected}`,
    `seen: ${grade.seen}`,
    `a user sees: ${consequence}`,
    `again: ${repeat(id)}`,
    ...(output === '' ? [] : [`the client wrote:\n${output}`]),
  ].join('\n');
  return { ...played, failure: { message: `expected ${grade.expected}`, detail } };
}
