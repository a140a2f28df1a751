// Checks the pictures of the documents. Each picture that a document shows must exist, each existing picture must be
// shown, and all must be small.
import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const FOLDER = 'docs/pictures';
const MOST_BYTES = 60_000;
const MOST_BYTES_TOGETHER = 1_700_000;

const pictures = globSync(`${FOLDER}/*`, { cwd: root }).sort();

/** Returns the pictures that a document shows, as paths below the root. */
function shownIn(document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8');
  const addresses = [...text.matchAll(/(?:src|srcset)="([^"]+)"|!\[[^\]]*\]\(([^)]+)\)/g)];
  return addresses.map(([, inTag, inText]) => relative(root, join(root, dirname(document), inTag ?? inText ?? '')));
}

const documents = globSync(['*.md', 'docs/*.md'], { cwd: root });
// Documents also show stickers, which are in other folders.
const shown = [...new Set(documents.flatMap(shownIn))].filter((path) => path.startsWith(FOLDER)).sort();

test('every picture that a document shows is there, and every picture there is shown', () => {
  assert.ok(pictures.length >= 24, `${pictures.length} pictures`);
  assert.deepEqual(shown, pictures);
});

test('every picture is there in light and dark', () => {
  const other = (path: string): string =>
    path.includes('-light.') ? path.replace('-light.', '-dark.') : path.replace('-dark.', '-light.');
  assert.deepEqual(pictures.map(other).sort(), pictures);
});

test('pictures are small', () => {
  const sizes = pictures.map((path) => ({ path, bytes: statSync(join(root, path)).size }));
  assert.deepEqual(
    sizes.filter(({ bytes }) => bytes > MOST_BYTES),
    [],
  );
  const together = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  assert.ok(together <= MOST_BYTES_TOGETHER, `${together} bytes together`);
});
