import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { anchor } from '../src/markdown.ts';

const root = join(import.meta.dirname, '../../..');
const pages = [...globSync('*.md', { cwd: root }), ...globSync('docs/**/*.md', { cwd: root })];

/**
 * Returns the text without code blocks and without opening brackets in inline code, because brackets in code do not
 * mark links.
 */
const proseOf = (text: string): string =>
  text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll('[', ' '));
const anchorsOf = (file: string): Set<string> =>
  new Set([...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchor(heading)));

test('every link between the pages leads to a file and a heading that are there', () => {
  const broken: string[] = [];
  for (const page of pages) {
    const file = join(root, page);
    for (const [, target = '', hash] of proseOf(readFileSync(file, 'utf8')).matchAll(
      /\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g,
    )) {
      if (/^[a-z]+:/.test(target)) continue;
      const found = target === '' ? file : resolve(dirname(file), target);
      if (!existsSync(found)) broken.push(`${page}: ${target}`);
      else if (hash && found.endsWith('.md') && !anchorsOf(found).has(hash)) broken.push(`${page}: ${target}#${hash}`);
    }
  }
  assert.deepEqual(broken, []);
});
