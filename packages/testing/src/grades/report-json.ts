import type { GradedScenario, GradeReport } from './run.ts';

/** Returns how many scenarios had each grade. */
export function countsOf(graded: readonly GradedScenario[]) {
  const count = (kind: GradedScenario['grade']['kind']): number =>
    graded.filter(({ grade }) => grade.kind === kind).length;
  return { passed: count('pass'), failed: count('fail'), notReached: count('not reached') };
}

/** Returns the report for programs, as a value to write as JSON. */
export function gradesJson({ client, graded, milliseconds }: GradeReport, repeat: (id: string) => string) {
  return {
    client,
    milliseconds,
    ...countsOf(graded),
    scenarios: graded.map(({ scenario, grade, milliseconds: took, output }) => ({
      id: scenario.id,
      topic: scenario.topic,
      title: scenario.title,
      basis: scenario.basis,
      milliseconds: took,
      grade: grade.kind,
      ...(grade.kind === 'fail' && {
        expected: grade.expected,
        seen: grade.seen,
        consequence: scenario.consequence,
      }),
      ...(grade.kind === 'not reached' && { reach: grade.reach, instead: grade.instead }),
      ...(grade.kind !== 'pass' && { again: repeat(scenario.id), ...(output && { output }) }),
    })),
  };
}
