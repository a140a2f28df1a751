// The words of the pages: none is written into the code, and every language has all of them.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import ts from 'typescript';
import { bestLanguage } from '../src/words/languages.ts';

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
  'text',
]);
/** Texts that are the same in every language. */
const SAME_EVERYWHERE = new Set(['Sealpost', 'Apache-2.0', 'Esc', 'Ctrl', 'Alt', 'Shift', 'Enter', 'Tab', '@']);

/** Parts of a program that hand a text on: what they say is in their branches. */
const branchesOf = (node: ts.Node): readonly ts.Node[] => {
  if (ts.isJsxExpression(node)) return node.expression ? [node.expression] : [];
  if (ts.isParenthesizedExpression(node)) return [node.expression];
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse];
  if (!ts.isBinaryExpression(node)) return [];
  const { operatorToken, left, right } = node;
  if (operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) return [right];
  const { BarBarToken, QuestionQuestionToken, PlusToken } = ts.SyntaxKind;
  return [BarBarToken, QuestionQuestionToken, PlusToken].some((kind) => kind === operatorToken.kind)
    ? [left, right]
    : [];
};

/** Returns the texts that an expression may stand for, as they are written. */
function writtenTexts(node: ts.Node): readonly ts.Node[] {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return [node];
  return branchesOf(node).flatMap(writtenTexts);
}

/** Returns the words of a literal, without what is inserted into it. */
const wordsOf = (node: ts.Node): string => {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return node.text;
  return ts.isTemplateExpression(node)
    ? [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('')
    : '';
};

/** Returns what a person reads or hears of a node, as it is written. */
function shownBy(node: ts.Node): readonly ts.Node[] {
  if (ts.isJsxText(node)) return [node];
  if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) return writtenTexts(node);
  if (ts.isJsxAttribute(node) && READ.has(node.name.getText()) && node.initializer)
    return writtenTexts(node.initializer);
  if (ts.isPropertyAssignment(node) && READ.has(node.name.getText())) return writtenTexts(node.initializer);
  const isSaid = ts.isCallExpression(node) && node.expression.getText() === 'announce';
  return isSaid ? node.arguments.flatMap(writtenTexts) : [];
}

/** Returns the texts of a file that would be shown in one language only. */
function fixedTexts(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node) && ['Trans', 'Plural', 'Select'].includes(node.openingElement.tagName.getText())) return;
    for (const shown of shownBy(node)) {
      const words = wordsOf(shown).trim();
      const { line } = source.getLineAndCharacterOfPosition(shown.getStart());
      if (LETTER.test(words) && !SAME_EVERYWHERE.has(words)) found.push(`${path}:${line + 1} ${JSON.stringify(words)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The inspector is for authors of clients, who read the documents in English. It has one language on purpose. */
const IN_ENGLISH_ONLY = 'src/inspect/**';

test('no text is written into the code', () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root, exclude: [IN_ENGLISH_ONLY] });
  assert.ok(files.length > 200);
  assert.deepEqual(
    files.flatMap((file) => fixedTexts(file, readFileSync(join(root, file), 'utf8'))),
    [],
  );
});

test('a text in the code is found', () => {
  const text = `const A = () => (
      <p title='Hello' className="plain" aria-label={busy ? 'Wait' : t\`fine\`} alt={\`Of \${name}\`}>
        World {'there'} {busy && 'Moment'} <Trans>fine</Trans> · 5
        <input placeholder={"Name"} value="plain" />
      </p>
    );
    toast({ text: 'Done', action: { label: t\`fine\` } });
    announce('Read this');`;
  assert.deepEqual(
    fixedTexts('a.tsx', text).map((found) => found.slice(found.indexOf('"') + 1, -1)),
    ['Hello', 'Wait', 'Of', 'World', 'there', 'Moment', 'Name', 'Done', 'Read this'],
  );
});

// The paths of the configuration begin at the working folder.
process.chdir(root);
const catalogs = await getCatalogs(getConfig({ cwd: root }));
/** The catalogs: that of the messenger, and that of the administration pages. */
const names = ['messenger', 'administration'];

test('the catalogs have every text of the code, or the pages would show its number', async () => {
  assert.equal(catalogs.length, names.length);
  for (const [place, catalog] of catalogs.entries()) {
    const inCode = Object.keys((await catalog.collect()) ?? {}).sort();
    const kept = Object.keys((await catalog.read('en')) ?? {}).sort();
    assert.ok(inCode.length > 100);
    assert.deepEqual(inCode, kept, `${names[place]}: run \`npm run words -w packages/web\``);
  }
});

/** Returns what a translation must have too: the names of what is inserted, and the numbers of elements. */
const insertsOf = (text: string): string[] =>
  [...new Set(text.match(/\{\w+(?=\}|, ?(?:plural|select)\b)|<\/?\d+\/?>/g) ?? [])].sort();

for (const language of ['ja', 'zh-Hant', 'th']) {
  test(`every text is there in ${language}, with all that is inserted into it`, async () => {
    for (const catalog of catalogs) {
      const [found, original] = [(await catalog.read(language)) ?? {}, (await catalog.read('en')) ?? {}];
      assert.deepEqual(Object.keys(found).sort(), Object.keys(original).sort());
      const entries = Object.values(found);
      assert.ok(entries.length > 100);
      for (const { message = '', translation = '' } of entries) {
        assert.notEqual(translation, '', message);
        assert.deepEqual(insertsOf(translation), insertsOf(message), `${message} → ${translation}`);
      }
    }
  });
}

test('the page has the first language of the browser that it knows, and a name that is no language is passed over', () => {
  assert.equal(bestLanguage(['fr-FR', 'ja-JP', 'en']), 'ja');
  assert.equal(bestLanguage(['zh-TW']), 'zh-Hant');
  assert.equal(bestLanguage(['C', 'th']), 'th');
  assert.equal(bestLanguage(['C']), 'en');
});
