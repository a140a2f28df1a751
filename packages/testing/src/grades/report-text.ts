// Writes the grades for people: a line for each topic, then what is wrong, then what was not reached.
import { countsOf } from './report-json.ts';
import type { GradedScenario, GradeReport } from './run.ts';
import { type ScenarioTopic, scenarioTopics } from './scenario.ts';

const TOPIC_WIDTH = 12;

/**
 * Returns the report as text.
 * @param repeat returns the command that plays one scenario again
 */
export function gradesText({ client, graded, milliseconds }: GradeReport, repeat: (id: string) => string): string {
  const { passed, failed, notReached } = countsOf(graded);
  const seconds = (milliseconds / 1000).toFixed(1);
  return [
    `Grades of ${client}`,
    '',
    ...byTopic(graded).map(([topic, own]) => topicLine(topic, own)),
    ...graded.flatMap((one) => detailsOf(one, repeat)),
    '',
    `${graded.length} scenarios: ${passed} passed, ${failed} failed, ${notReached} not reached, ${seconds} s.`,
    ...(notReached > 0 ? ['What was not reached is not known: it does not count as passed.'] : []),
    '',
  ].join('\n');
}

export function byTopic(graded: readonly GradedScenario[]): [topic: ScenarioTopic, graded: GradedScenario[]][] {
  return scenarioTopics.flatMap((topic) => {
    const own = graded.filter(({ scenario }) => scenario.topic === topic);
    return own.length > 0 ? [[topic, own] as [ScenarioTopic, GradedScenario[]]] : [];
  });
}

function topicLine(topic: string, graded: readonly GradedScenario[]): string {
  const { passed, failed, notReached } = countsOf(graded);
  const state = failed > 0 ? 'FAIL' : notReached > 0 ? '?   ' : 'ok  ';
  const missing = notReached > 0 ? `, ${notReached} not reached` : '';
  return `${state}  ${topic.padEnd(TOPIC_WIDTH)}${passed} of ${graded.length}${missing}`;
}

function detailsOf({ scenario, grade, output }: GradedScenario, repeat: (id: string) => string): string[] {
  if (grade.kind === 'pass') return [];
  const { basis, id, title, consequence } = scenario;
  const rule = `${basis.heading}: ${basis.fact}`;
  const wrote = output === '' ? [] : ['the client wrote:', ...output.split('\n').map((line) => `  ${line}`)];
  if (grade.kind === 'fail') {
    return block(
      `FAIL  ${id}`,
      title,
      [
        ['specification', rule],
        ['expected', grade.expected],
        ['seen', grade.seen],
        ['a user sees', consequence],
        ['again', repeat(id)],
      ],
      wrote,
    );
  }
  return block(
    `?     ${id}`,
    title,
    [
      ['specification', rule],
      ['not reached', grade.instead],
      ['to reach it', grade.reach],
      ['again', repeat(id)],
    ],
    wrote,
  );
}

function block(
  head: string,
  title: string,
  fields: readonly (readonly [name: string, value: string])[],
  wrote: readonly string[],
): string[] {
  const lines = fields.map(([name, value]) => `${`${name}:`.padEnd(15)}${value}`);
  return ['', head, ...[`${title}.`, ...lines, ...wrote].map((line) => `      ${line}`)];
}
