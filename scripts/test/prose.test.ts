// Checks the prose of comments and hand-written documents. Some expressions are forbidden, and the number of long
// sentences must not grow.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const MOST_WORDS = 25;

/** A comment or a paragraph of a document, on one line. */
interface Block {
  readonly place: string;
  readonly text: string;
}

/** The kinds of faults, each with a pattern that finds it. */
const forms = {
  canNot: /\bcan not\b/i,
  isNo: /(?<!\bthere )\b(?:is|are) no (?!longer\b)/i,
  of: /^Of /,
};

type Fault = keyof typeof forms | 'longSentences';

const packages = globSync('packages/*', { cwd: root }).map((path) => path.slice('packages/'.length));

/** The hand-written files of each area. */
const areas: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(packages.map((name) => [name, filesOf(`packages/${name}/src/**/*.{ts,tsx}`)])),
  scripts: filesOf('scripts/**/*.ts'),
  bench: filesOf('bench/**/*.ts'),
  documents: [...filesOf('*.md'), ...filesOf('docs/*.md'), ...filesOf('docs/decisions/*.md')],
};

function filesOf(pattern: string): string[] {
  return globSync(pattern, { cwd: root, exclude: ['**/generated/**', '**/node_modules/**'] }).sort();
}

function blocksOf(file: string): Block[] {
  const text = readFileSync(join(root, file), 'utf8');
  const lines = file.endsWith('.md') ? paragraphLines(text) : commentLines(text);
  const blocks: { place: string; lines: string[] }[] = [];
  let open = false;
  for (const [index, line] of lines.entries()) {
    if (line === undefined || line === '') open = false;
    else if (open && !/^(?:[-*|@]|\d+\.) ?/.test(line)) blocks.at(-1)?.lines.push(line);
    else {
      for (const part of line.startsWith('|') ? line.split('|').filter((cell) => cell.trim()) : [line])
        blocks.push({ place: `${file}:${index + 1}`, lines: [part] });
      open = !line.startsWith('|');
    }
  }
  return blocks.map(({ place, lines: parts }) => ({ place, text: plain(parts.join(' ')) }));
}

/**
 * Returns the text without list marks. Each piece of inline code becomes one word, because quoted code is not prose.
 */
function plain(text: string): string {
  return text
    .replace(/^\s*(?:[-*]|\d+\.) /, '')
    .replaceAll(/`[^`]*`/g, 'code')
    .trim();
}

/** Returns the text of each comment line; undefined for lines of code. */
function commentLines(text: string): (string | undefined)[] {
  return text.split('\n').map((line, index, all) => {
    const own = /^\s*(?:\/\/|\/\*\*|\*(?!\/)) ?(.*?)(?:\*\/)?$/.exec(line)?.[1];
    return own?.trim() || (own !== undefined && /^\s*\/\*\*$/.test(all[index] ?? '') ? '' : own);
  });
}

/** Returns the text of each line of a document; undefined for headings, code, and generated parts. */
function paragraphLines(text: string): (string | undefined)[] {
  let fenced = false;
  let generated = false;
  return text.split('\n').map((line) => {
    if (line.startsWith('<!--')) generated = line.includes('made by');
    if (line.trimStart().startsWith('```')) fenced = !fenced;
    const isText = !(fenced || generated || /^(?: {4}|#|<!--|```)/.test(line));
    return isText ? line.trim() : undefined;
  });
}

const sentencesOf = (text: string): string[] => text.split(/(?<=[.?!])["')]?\s+(?=["'(]?[A-Z*[]|code\b)/);
const wordsOf = (sentence: string): number => sentence.split(/\s+/).length;

/** Returns the places of each fault in a list of files. */
function faultsOf(files: readonly string[]): Record<Fault, string[]> {
  const blocks = files.flatMap(blocksOf);
  const having = (form: RegExp): string[] =>
    blocks.filter(({ text }) => form.test(text)).map(({ place, text }) => `${place} ${text}`);
  return {
    canNot: having(forms.canNot),
    isNo: having(forms.isNo),
    of: having(forms.of),
    longSentences: blocks.flatMap(({ place, text }) =>
      sentencesOf(text)
        .filter((sentence) => wordsOf(sentence) > MOST_WORDS)
        .map((sentence) => `${place} ${sentence}`),
    ),
  };
}

const written = JSON.parse(readFileSync(join(import.meta.dirname, 'prose.json'), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, number>>>
>;
const mostOf = (area: string, fault: string): number => written[area]?.[fault] ?? 0;

for (const [area, files] of Object.entries(areas)) {
  test(`the prose of ${area} has no more faults than prose.json says`, () => {
    const over = Object.entries(faultsOf(files)).filter(([fault, { length }]) => length > mostOf(area, fault));
    const told = over.map(([fault, places]) =>
      [`${fault}: ${places.length}, at most ${mostOf(area, fault)}`, ...places].join('\n'),
    );
    assert.ok(over.length === 0, told.join('\n'));
  });
}

test('the rules see what they are for', () => {
  assert.match('It can not be so.', forms.canNot);
  assert.match('a body that is no number', forms.isNo);
  assert.doesNotMatch('There is no key, and it is no longer there.', forms.isNo);
  assert.match('Of the limit, in one of the setting.', forms.of);
  assert.deepEqual(sentencesOf('One is here. Another: it is there; and "so on". code ends.').length, 3);
});
