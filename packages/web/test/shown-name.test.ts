import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownName, withoutTurns } from '../src/words/shown-name.ts';

test('a name keeps its letters, and loses what would turn the words around it', () => {
  for (const name of ['Ann', 'มะลิ', '山田 太郎', 'שלום', '👩‍👩‍👧', 'A\u200bnn', '.'])
    assert.equal(shownName(name), name);
  assert.equal(shownName('Ann\u202e\u2067'), 'Ann');
  assert.equal(withoutTurns('photo\u202egnp.exe'), 'photognp.exe');
});

test('a name that nobody could see is no name', () => {
  for (const name of ['', ' ', '\u200b\u2060', '\u3164\u115f', '\u202e\u2800', '\u0301'])
    assert.equal(shownName(name), '');
});

test('a name is no part of a sentence', () => {
  assert.equal(shownName('<0>Ann</0>'), '<\u20600>Ann<\u2060/0>');
  assert.equal(shownName('Ann <3 < 4'), 'Ann <\u20603 < 4');
});

test('a very long name is cut', () => {
  assert.equal(shownName('W'.repeat(64)), 'W'.repeat(64));
  assert.equal(shownName('W'.repeat(65)), `${'W'.repeat(64)}…`);
  assert.equal(shownName('👩'.repeat(900)), `${'👩'.repeat(64)}…`);
});
