// The words of the pages: none is written into the code, and every language has all of them.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');
const LETTER = /\p{L}/u;
/** Attributes whose text a person reads or hears. */
const READ = new Set([
  'label',
  'aria-label',
  'title',
  'placeholder',
  'alt',
  'closeLabel',
  'hint',
  'error',
  'aria-description',
]);
/** Texts that are the same in every language. */
const SAME_EVERYWHERE = new Set(['Sealpost', 'Apache-2.0', 'Esc', 'Ctrl', 'Alt', 'Shift', 'Enter', 'Tab', '@']);

/** Returns the texts of a file that would be shown in one language only. */
function fixedTexts(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const tell = (node: ts.Node, words: string): void => {
    if (!LETTER.test(words) || SAME_EVERYWHERE.has(words.trim())) return;
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${path}:${line + 1} ${JSON.stringify(words.trim())}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node) && ['Trans', 'Plural', 'Select'].includes(node.openingElement.tagName.getText())) return;
    if (ts.isJsxText(node)) tell(node, node.text);
    if (
      ts.isJsxExpression(node) &&
      node.expression &&
      ts.isStringLiteral(node.expression) &&
      ts.isJsxElement(node.parent)
    )
      tell(node, node.expression.text);
    if (
      ts.isJsxAttribute(node) &&
      READ.has(node.name.getText()) &&
      node.initializer &&
      ts.isStringLiteral(node.initializer)
    )
      tell(node, node.initializer.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test('no text is written into the code', () => {
  const files = globSync('src/**/*.tsx', { cwd: root });
  assert.ok(files.length > 20);
  assert.deepEqual(
    files.flatMap((file) => fixedTexts(file, readFileSync(join(root, file), 'utf8'))),
    [],
  );
});

test('a text in the code is found', () => {
  const text = "const A = () => <p title='Hello'>World {'there'} <Trans>fine</Trans> · 5</p>;";
  assert.deepEqual(fixedTexts('a.tsx', text), ['a.tsx:1 "Hello"', 'a.tsx:1 "World"', 'a.tsx:1 "there"']);
});

test('the catalogs have every text of the code, or the pages would show its number', async () => {
  // The paths of the configuration begin at the working folder.
  process.chdir(root);
  const config = getConfig({ cwd: root });
  const [catalog] = await getCatalogs(config);
  const inCode = Object.keys((await catalog?.collect()) ?? {}).sort();
  const kept = Object.keys((await catalog?.read('en')) ?? {}).sort();
  assert.ok(inCode.length > 100);
  assert.deepEqual(inCode, kept, 'run `npm run words -w packages/web`');
});

/** Returns the texts of a catalog without a translation. */
function missingIn(catalog: string): string[] {
  const entries = catalog.split(/\n\n+/).slice(1);
  return entries
    .filter((entry) => !entry.startsWith('#~') && /^msgstr ""\s*$/m.test(entry) && !/^msgstr ""\n"/m.test(entry))
    .map((entry) => /^msgid "(.*)"$/m.exec(entry)?.[1] ?? entry);
}

for (const language of ['ja', 'zh-Hant', 'th']) {
  test(`every text is there in ${language}`, () => {
    assert.deepEqual(missingIn(readFileSync(join(root, `locales/${language}.po`), 'utf8')), []);
  });
}
