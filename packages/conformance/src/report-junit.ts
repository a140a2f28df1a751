// Writes a report for CI: JUnit's XML, with a suite for each topic.
import { topicsOf } from './report-text.ts';
import type { Outcome, Report } from './run.ts';

export function junitReport({ outcomes, milliseconds }: Report, repeat: (id: string) => string): string {
  const suites = topicsOf(outcomes).map(([topic, own]) => suite(topic, own, repeat));
  const counts = countsOf(outcomes);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="conformance" ${counts} time="${seconds(milliseconds)}">`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(topic: string, outcomes: readonly Outcome[], repeat: (id: string) => string): string {
  const time = outcomes.reduce((sum, outcome) => sum + outcome.milliseconds, 0);
  return [
    `  <testsuite name="${xml(topic)}" ${countsOf(outcomes)} time="${seconds(time)}">`,
    ...outcomes.map((outcome) => testcase(outcome, repeat)),
    '  </testsuite>',
  ].join('\n');
}

function testcase({ check, milliseconds, failure }: Outcome, repeat: (id: string) => string): string {
  const head = `    <testcase classname="${xml(check.endpoint)}" name="${xml(`${check.id}: ${check.expects}`)}" time="${seconds(milliseconds)}"`;
  if (!failure) return `${head}/>`;
  const detail = [
    `specification: ${check.heading}`,
    `expected: ${failure.expected}`,
    `came: ${failure.seen}`,
    `again: ${repeat(check.id)}`,
  ].join('\n');
  return `${head}>\n      <failure message="${xml(`expected ${failure.expected}`)}">${xml(detail)}</failure>\n    </testcase>`;
}

const countsOf = (outcomes: readonly Outcome[]): string =>
  `tests="${outcomes.length}" failures="${outcomes.filter(({ failure }) => failure).length}"`;

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Returns text for XML. Characters that XML cannot contain become the replacement character. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"]/g, (character) => entities[character] ?? character);
