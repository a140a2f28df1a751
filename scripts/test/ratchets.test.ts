// Ratchets: counts of things that should become fewer. A count may not grow. When a count falls, the lower number must
// be written down, so that the count cannot grow again.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
const LONG = 80;

interface Counts {
  /** Functions of more than 80 lines, counting everything inside them. */
  longFunctions: number;
  /** Type assertions, except `as const`. */
  assertions: number;
}

function countsOf(file: string): Counts {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const counts = { longFunctions: 0, assertions: 0 };
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      if (lineOf(node.end) - lineOf(node.getStart()) >= LONG) counts.longFunctions += 1;
    }
    if (ts.isAsExpression(node) && node.type.getText() !== 'const') counts.assertions += 1;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return counts;
}

function countsByPackage(): Record<string, Counts> {
  const found: Record<string, Counts> = {};
  for (const file of globSync('packages/*/src/**/*.ts', { cwd: root }).sort()) {
    if (file.includes('/generated/')) continue;
    const name = file.split('/')[1] ?? '';
    found[name] ??= { longFunctions: 0, assertions: 0 };
    const { longFunctions, assertions } = countsOf(file);
    found[name].longFunctions += longFunctions;
    found[name].assertions += assertions;
  }
  return found;
}

test('long functions and type assertions become fewer: ratchets.json has the counts, and gets the new ones when they fall', () => {
  const written = JSON.parse(readFileSync(join(import.meta.dirname, 'ratchets.json'), 'utf8')) as unknown;
  assert.deepEqual(countsByPackage(), written);
});
