// Checks that functions fit on a screen, and that certain counts do not grow. When a count falls, the lower number must
// be written down, so that the count cannot grow again.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
const MOST_LINES = 80;

const sources = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !file.includes('/generated/'))
  .sort()
  .map((file) => ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true));

function nodesOf(node: ts.Node): ts.Node[] {
  const found = [node];
  ts.forEachChild(node, (child) => {
    found.push(...nodesOf(child));
  });
  return found;
}

/** Returns the functions of more than 80 lines. All lines inside a function count. */
function longFunctions(source: ts.SourceFile): string[] {
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  return nodesOf(source)
    .filter((node) => ts.isFunctionLike(node) && 'body' in node && node.body !== undefined)
    .map((node) => ({ from: lineOf(node.getStart()), to: lineOf(node.end) }))
    .filter(({ from, to }) => to - from >= MOST_LINES)
    .map(({ from, to }) => `${source.fileName}:${from} has a function of ${to - from + 1} lines`);
}

/** Returns the number of type assertions, except `as const`. */
const assertionsIn = (source: ts.SourceFile): number =>
  nodesOf(source).filter((node) => ts.isAsExpression(node) && node.type.getText() !== 'const').length;

test('no function has more than 80 lines', () => {
  assert.deepEqual(sources.flatMap(longFunctions), []);
});

test('type assertions become fewer: ratchets.json has the counts, and gets the new ones when they fall', () => {
  const written = JSON.parse(readFileSync(join(import.meta.dirname, 'ratchets.json'), 'utf8')) as unknown;
  const found: Record<string, number> = {};
  for (const source of sources) {
    const name = source.fileName.split('/')[1] ?? '';
    found[name] = (found[name] ?? 0) + assertionsIn(source);
  }
  assert.deepEqual(found, written);
});
