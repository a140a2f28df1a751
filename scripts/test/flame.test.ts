// Tests how `npm run bench:flame` reads a processor profile and draws it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CpuProfile, framesOf, placeOf } from '../../bench/flame/stacks.ts';
import { flameOf } from '../../bench/flame/svg.ts';

const node = (id: number, functionName: string, children: readonly number[] = [], url = '') => ({
  id,
  callFrame: { functionName, url, lineNumber: 0 },
  children,
});
const ours = 'file:///srv/packages/server/src/platform/store/sqlite.ts';
const profile: CpuProfile = {
  nodes: [
    node(1, '(root)', [2, 3, 6]),
    node(2, '(idle)'),
    node(3, 'serve', [4, 5], ours),
    node(4, 'commit', [], 'node:sqlite'),
    node(5, 'a<b', [], 'file:///srv/node_modules/ajv/lib/core.js'),
    node(6, 'serve', [7], ours),
    node(7, 'commit', [], 'node:sqlite'),
  ],
  samples: [2, 3, 4, 5, 7],
  timeDeltas: [1000, 10, 20, 30, 40],
};

test('calls of one function are merged, and idle time does not count', () => {
  const root = framesOf(profile);
  assert.equal(root.micros, 100);
  assert.deepEqual(
    root.children.map(({ name, micros }) => [name, micros]),
    [['serve', 100]],
  );
  assert.deepEqual(
    root.children[0]?.children.map(({ name, place, micros }) => [name, place, micros]),
    [
      ['commit', 'node:sqlite', 60],
      ['a<b', 'npm:ajv/lib/core.js', 30],
    ],
  );
});

test('files are named below their package', () => {
  assert.equal(placeOf(ours), 'server/platform/store/sqlite.ts');
  assert.equal(placeOf('node:net'), 'node:net');
});

test('a graph has a box for each call, as wide as its time', () => {
  const svg = flameOf(framesOf(profile), 'A & B', 10);
  assert.match(svg, /<title>A &amp; B<\/title>/);
  assert.match(svg, /<title>commit node:sqlite: 6\.00 µs, 60\.0 %<\/title><rect [^>]*width="708\.0"/);
  assert.match(svg, /a&lt;b/);
  assert.doesNotMatch(svg, /idle/);
});
