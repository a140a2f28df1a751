import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fromBase64, safetyNumber, toBase64 } from '@sealpost/crypto';
import { runProgram, withPython } from './independent-program.ts';

interface Holder {
  mid: string;
  publicKeys: string[];
}

const root = new URL('../../../', import.meta.url);
const vectors = JSON.parse(readFileSync(new URL('docs/safety-number-vectors.json', root), 'utf8')) as {
  name: string;
  one: Holder;
  other: Holder;
  digits: string;
  qr: string;
}[];

const holder = ({ mid, publicKeys }: Holder) => ({ mid, publicKeys: publicKeys.map(fromBase64) });

for (const v of vectors) {
  test(`the safety number is that of the vector, from both sides: ${v.name}`, () => {
    const [one, other] = [holder(v.one), holder(v.other)];
    for (const made of [safetyNumber(one, other), safetyNumber(other, one)]) {
      assert.equal(made.digits, v.digits);
      assert.match(made.digits, /^(\d{5} ){11}\d{5}$/);
      assert.equal(toBase64(made.qr), v.qr);
    }
  });
}

test('any other key or mid gives another number, the order of keys does not', () => {
  const numbers = new Map(vectors.map((v) => [v.name, v.digits]));
  assert.equal(numbers.get('one key each'), numbers.get('the other way round'));
  assert.equal(numbers.get('one key each'), numbers.get('a key named twice counts once'));
  assert.equal(new Set(numbers.values()).size, 4);
  const [, , several] = vectors;
  const [one, other] = [holder(several?.one as Holder), holder(several?.other as Holder)];
  const turned = { ...one, publicKeys: one.publicKeys.toReversed() };
  assert.deepEqual(safetyNumber(turned, other), safetyNumber(one, other));
});

test('a user without keys, or with something else than keys, has no safety number', () => {
  const good = holder((vectors[0] as (typeof vectors)[0]).one);
  const tooMany = Array.from({ length: 256 }, (_, n) => new Uint8Array(32).fill(n));
  for (const publicKeys of [[], [new Uint8Array(31)], tooMany])
    assert.throws(() => safetyNumber(good, { ...good, publicKeys }), RangeError);
});

test('the published safety numbers are what the independent program makes', withPython, () => {
  runProgram('safety-number-vectors.py', '--check');
});
