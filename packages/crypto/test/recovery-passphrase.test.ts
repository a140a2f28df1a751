import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRecoveryPassphrase, readRecoveryPassphrase } from '@sealpost/crypto';

test('a passphrase is six words that can be said, and holds all of its 96 random bits', () => {
  const word = '[bdfghjklmnprstvz][aiou][bdfghjklmnprstvz][aiou][bdfghjklmnprstvz]';
  for (let i = 0; i < 100; i++) assert.match(createRecoveryPassphrase(), new RegExp(`^${word}( ${word}){5}$`));
  const made = new Set(Array.from({ length: 1000 }, () => createRecoveryPassphrase()));
  assert.equal(made.size, 1000);
  const seen = new Set<string>();
  for (let bit = 0; bit < 96; bit++) {
    const bytes = new Uint8Array(12);
    bytes[bit >> 3] = 1 << (bit & 7);
    seen.add(createRecoveryPassphrase(() => bytes));
  }
  assert.equal(seen.size, 96, 'every bit makes a difference');
  // Proquints of known IP addresses, from the published description of proquints.
  const of = (...start: number[]) => createRecoveryPassphrase(() => Uint8Array.of(...start, ...new Array(8).fill(0)));
  assert.ok(of(127, 0, 0, 1).startsWith('lusab babad '));
  assert.ok(of(63, 84, 220, 193).startsWith('gutih tugad '));
});

test('what was copied from paper is read as it was meant, everything else as it stands', () => {
  const meant = 'lusab babad gutih tugad bidaf pojan';
  for (const typed of [
    meant,
    ` ${meant}\n`,
    meant.toUpperCase(),
    meant.replaceAll(' ', '-'),
    meant.replaceAll(' ', '  '),
  ]) {
    assert.equal(readRecoveryPassphrase(typed), meant);
  }
  for (const own of ['Correct Horse Battery', 'lusab babad', `${meant} more`, 'ÄÖÜäö babad gutih tugad bidaf pojan']) {
    assert.equal(readRecoveryPassphrase(own), own);
  }
});
