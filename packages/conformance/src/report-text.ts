// Writes a report for people: a line for each topic, then each failure with everything needed to reproduce it.
import type { Outcome, Report } from './run.ts';

/**
 * Returns the report as text.
 * @param repeat returns the command that runs the check with an id again
 */
export function textReport(report: Report, repeat: (id: string) => string): string {
  const { outcomes, milliseconds, target } = report;
  const failed = outcomes.filter(({ failure }) => failure);
  const lines = topicsOf(outcomes).map(([topic, own]) => topicLine(topic, own));
  const verdict = failed.length === 0 ? 'all passed' : `${failed.length} failed`;
  return [
    `Conformance of ${target.url}`,
    '',
    ...lines,
    ...failed.flatMap((outcome) => ['', ...failureLines(outcome, repeat)]),
    '',
    `${outcomes.length} checks, ${verdict}, ${(milliseconds / 1000).toFixed(1)} s.`,
    '',
  ].join('\n');
}

export function topicsOf(outcomes: readonly Outcome[]): [topic: string, outcomes: Outcome[]][] {
  const topics = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    const own = topics.get(outcome.check.topic) ?? [];
    topics.set(outcome.check.topic, own);
    own.push(outcome);
  }
  return [...topics];
}

const TOPIC_WIDTH = 14;

function topicLine(topic: string, outcomes: readonly Outcome[]): string {
  const failed = outcomes.filter(({ failure }) => failure).length;
  const state = failed === 0 ? 'ok  ' : 'FAIL';
  return `${state}  ${topic.padEnd(TOPIC_WIDTH)}${outcomes.length - failed} of ${outcomes.length}`;
}

function failureLines({ check, failure }: Outcome, repeat: (id: string) => string): string[] {
  return [
    `FAIL  ${check.id}`,
    `      ${check.expects}.`,
    `      endpoint:      ${check.endpoint}`,
    `      specification: ${check.heading}`,
    `      expected:      ${failure?.expected}`,
    `      came:          ${failure?.seen}`,
    `      again:         ${repeat(check.id)}`,
  ];
}
