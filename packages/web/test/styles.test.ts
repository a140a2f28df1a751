// The styles are the same in languages that are written from right to left: they name the start and the end of a line.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const SIDES = /^((margin|padding|border|scroll-margin|scroll-padding)-)?(left|right|top|bottom)(-|$)/;
const ALIGNMENTS = new Set(['text-align', 'float', 'clear', 'justify-content', 'justify-items', 'justify-self']);
const FOUR_SIDES = /^(margin|padding|inset|border-(width|style|color)|scroll-(margin|padding))$/;
const DECLARATION = /(?:^|[;{])\s*([a-z-]+)\s*:\s*([^;{}]+?)\s*(?=[;}])/g;
const INLINE = /\b(?:margin|padding|border)(?:Left|Right|Top|Bottom)\b|style=\{\{[^}]*\b(?:left|right|top|bottom):/g;

/** Returns the values of a shorthand. Blanks inside of brackets do not part them. */
const valuesOf = (text: string): string[] => text.match(/(?:[^\s(]*\((?:[^()]|\([^()]*\))*\)|[^\s()]+)+/g) ?? [];

/** Returns whether a declaration looks different if left and right change places. */
function namesSide(property: string, value: string): boolean {
  if (SIDES.test(property)) return true;
  if (ALIGNMENTS.has(property)) return /\b(left|right)\b/.test(value);
  const values = valuesOf(value);
  const [first, second, third, fourth] = values;
  if (FOUR_SIDES.test(property)) return values.length === 4 && second !== fourth;
  if (property === 'border-radius')
    return values.length > 1 && (first !== second || (third ?? first) !== (fourth ?? second));
  if (property === 'translate') return first !== '0';
  return property === 'transform' && /translate(3d|X)?\(/.test(value);
}

/** Returns the declarations of a style sheet that name a side. */
function sidesIn(path: string, css: string): string[] {
  return [...css.replaceAll(/\/\*.*?\*\//gs, '').matchAll(DECLARATION)].flatMap(([, property = '', value = '']) =>
    namesSide(property, value) ? [`${path} ${property}: ${value}`] : [],
  );
}

test('no style names the left or the right', () => {
  const sheets = globSync('src/**/*.css', { cwd: root });
  const parts = globSync('src/**/*.tsx', { cwd: root });
  assert.ok(sheets.length > 50 && parts.length > 100);
  assert.deepEqual(
    [
      ...sheets.flatMap((path) => sidesIn(path, readFileSync(join(root, path), 'utf8'))),
      ...parts.flatMap((path) =>
        [...readFileSync(join(root, path), 'utf8').matchAll(INLINE)].map(([found]) => `${path} ${found}`),
      ),
    ],
    [],
  );
});

test('a style that names a side is found', () => {
  const css = `.a { margin-left: 1px; inset-inline: 0; left: 0 } /* right: 0; */ .b:hover { text-align: right; color: red; }
    .c { padding: 0 var(--a) 0 calc(1px * (2 + 3)); margin: 0 1px 2px 1px; border-radius: 1px 2px; translate: 0 8px; }
    @media (max-width: 1px) { .d { border-top-left-radius: 0; transform: translateX(1px); border-radius: 1px 1px 0 0 } }`;
  assert.deepEqual(sidesIn('a.css', css), [
    'a.css margin-left: 1px',
    'a.css left: 0',
    'a.css text-align: right',
    'a.css padding: 0 var(--a) 0 calc(1px * (2 + 3))',
    'a.css border-radius: 1px 2px',
    'a.css border-top-left-radius: 0',
    'a.css transform: translateX(1px)',
  ]);
});
