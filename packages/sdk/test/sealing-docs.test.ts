import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openFailures, plainReasons, sendFailures } from '@sealpost/sdk';

const page = readFileSync(new URL('../../../docs/sealing.md', import.meta.url), 'utf8');
const chapter = (title: string) => page.split('\n## ').find((part) => part.startsWith(`${title}\n`)) ?? '';

for (const [title, table] of Object.entries({
  'In the clear': plainReasons,
  'Not sent': sendFailures,
  'Not opened': openFailures,
})) {
  test(`the page on sealing has the table of the code under "${title}"`, () => {
    const rows = chapter(title)
      .split('\n')
      .filter((line) => /^\| `[a-z-]+` \| (?!Cause)/.test(line));
    const expected = Object.entries(table).map(
      ([reason, { cause, remedy }]) => `| \`${reason}\` | ${cause} | ${remedy} |`,
    );
    assert.ok(expected.length > 0);
    assert.deepEqual(rows, expected);
  });
}
