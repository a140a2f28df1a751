import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LONGEST, longestFirst } from '../longest-first.ts';

const root = join(import.meta.dirname, '../..');

test('every file that is to begin first exists', () => {
  assert.deepEqual(
    LONGEST.filter((file) => !existsSync(join(root, file))),
    [],
  );
});

test('the longest begin first, and no file is lost or added', () => {
  const [longest = '', second = ''] = LONGEST;
  assert.deepEqual(longestFirst(['a', second, 'b', longest]), [longest, second, 'a', 'b']);
  assert.deepEqual(longestFirst(['b', 'a']), ['b', 'a']);
});
