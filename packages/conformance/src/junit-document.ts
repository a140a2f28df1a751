// Writes a report for CI: JUnit's XML, with a suite for each topic.

export interface JunitCase {
  readonly className: string;
  readonly name: string;
  readonly milliseconds: number;
  readonly failure?: { readonly message: string; readonly detail: string };
  /** The reason why the case was not run. Such a case counts neither as passed nor as failed. */
  readonly skipped?: string;
}

export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
}

export function junitDocument(name: string, milliseconds: number, suites: readonly JunitSuite[]): string {
  const counts = countsOf(suites.flatMap(({ cases }) => cases));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(name)}" ${counts} time="${seconds(milliseconds)}">`,
    ...suites.map(suiteElement),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteElement({ name, cases }: JunitSuite): string {
  const time = cases.reduce((sum, one) => sum + one.milliseconds, 0);
  return [
    `  <testsuite name="${xml(name)}" ${countsOf(cases)} time="${seconds(time)}">`,
    ...cases.map(caseElement),
    '  </testsuite>',
  ].join('\n');
}

function caseElement({ className, name, milliseconds, failure, skipped }: JunitCase): string {
  const head = `    <testcase classname="${xml(className)}" name="${xml(name)}" time="${seconds(milliseconds)}"`;
  if (failure) {
    return `${head}>\n      <failure message="${xml(failure.message)}">${xml(failure.detail)}</failure>\n    </testcase>`;
  }
  if (skipped === undefined) return `${head}/>`;
  return `${head}>\n      <skipped message="${xml(skipped)}"/>\n    </testcase>`;
}

function countsOf(cases: readonly JunitCase[]): string {
  const failures = cases.filter(({ failure }) => failure).length;
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  return `tests="${cases.length}" failures="${failures}"${skipped > 0 ? ` skipped="${skipped}"` : ''}`;
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Returns text for XML. Characters that XML cannot contain become the replacement character. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"]/g, (character) => entities[character] ?? character);
