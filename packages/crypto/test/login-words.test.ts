import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createKeyPair, fromBase64, loginWords, sameLoginWords } from '@sealpost/crypto';
import { runProgram, withPython } from './independent-program.ts';

const root = new URL('../../../', import.meta.url);
const vectors = JSON.parse(readFileSync(new URL('docs/login-words-vectors.json', root), 'utf8')) as Record<
  'name' | 'devicePublicKey' | 'accountPublicKey' | 'words',
  string
>[];

for (const v of vectors) {
  test(`the login words are those of the vector: ${v.name}`, () => {
    assert.equal(loginWords(fromBase64(v.devicePublicKey), fromBase64(v.accountPublicKey)), v.words);
    assert.match(v.words, /^([bdfghjklmnprstvz][aiou]){2}[bdfghjklmnprstvz](-[a-z]{5}){4}$/);
  });
}

test('any other key gives other words, and so do the two keys exchanged', () => {
  assert.ok(vectors.length > 5);
  assert.equal(new Set(vectors.map(({ words }) => words)).size, vectors.length);
});

test('words are the same however they are typed, and no others are', () => {
  const words = vectors[0]?.words ?? '';
  for (const typed of [words, ` ${words.toUpperCase()}\n`, words.replaceAll('-', ' '), words.replaceAll('-', ', ')])
    assert.ok(sameLoginWords(words, typed), typed);
  const short = words.split('-').slice(1).join('-');
  for (const typed of ['', short, `${words}-babab`, words.replaceAll('-', ''), vectors[1]?.words ?? ''])
    assert.ok(!sameLoginWords(words, typed), typed);
});

test('what is not a public key has no words', () => {
  const { publicKey } = createKeyPair();
  for (const wrong of [new Uint8Array(), publicKey.slice(1), new Uint8Array(33)]) {
    assert.throws(() => loginWords(publicKey, wrong), RangeError);
    assert.throws(() => loginWords(wrong, publicKey), RangeError);
  }
});

test('the published login words are what the independent program makes', withPython, () => {
  runProgram('login-words-vectors.py', '--check');
});
