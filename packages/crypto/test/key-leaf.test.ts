import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { encodeKeyLeaf, leafHash, midHash } from '@sealpost/crypto';

const mid = `u${'0123456789abcdef'.repeat(2)}`;
const key = Uint8Array.from({ length: 32 }, (_, i) => i);

test('a leaf of the key log is 81 bytes: version, owner, key id, key, time', () => {
  const leaf = encodeKeyLeaf({ midHash: midHash(mid), keyId: 258, key, createdTime: 1_770_000_000_000 });
  const expected = [
    '01',
    createHash('sha256').update(mid).digest('hex'),
    '0000000000000102',
    Buffer.from(key).toString('hex'),
    '0000019c1c38a400',
  ].join('');
  assert.equal(Buffer.from(leaf).toString('hex'), expected);
  assert.deepEqual(
    Buffer.from(leafHash(leaf)),
    createHash('sha256')
      .update(Buffer.from(`00${expected}`, 'hex'))
      .digest(),
  );
});

test('values that are not a key, an owner or a number have no leaf', () => {
  const good = { midHash: midHash(mid), keyId: 1, key, createdTime: 0 };
  for (const wrong of [
    { ...good, key: key.subarray(1) },
    { ...good, midHash: key.subarray(1) },
    { ...good, keyId: -1 },
    { ...good, keyId: 1.5 },
    { ...good, createdTime: 2 ** 53 },
  ]) {
    assert.throws(() => encodeKeyLeaf(wrong), RangeError);
  }
});
