import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databases, startServer } from '@sealpost/dev-env/harness';
import { sqlSet } from '../../../src/platform/store/sql.ts';

const given = sqlSet<{ text: string | null; number: number | null }>(
  { text: 'text', number: 'bigint' },
  'select given.text as text, given.number as number from {given}',
);

const TEXTS = [
  'plain',
  '',
  'null',
  'NULL',
  '"quoted"',
  'back\\slash \\" \\\\',
  '{braces, commas}',
  'line\nbreak\ttab\u0001\u001f\u007f',
  '\u2028 é 漢字 \u{1F375}',
  '{"json":"with \\"quotes\\" and \\\\"}',
  null,
];

for (const database of databases) {
  test(`a set of values reaches the database unchanged on ${database}`, async () => {
    const server = await startServer({ database });
    try {
      const rows = TEXTS.map((text, i) => ({ text, number: i % 2 === 0 ? i - 3 : null }));
      const stored = await server.server.store.read((reader) =>
        reader.each(
          given,
          rows.map(({ text, number }) => [text, number]),
        ),
      );
      assert.deepEqual(
        stored.map((row) => ({ ...row })),
        rows,
      );
    } finally {
      await server.close();
    }
  });
}
