// The archive of an administrator as such: with more files than the usual end of an archive counts, and given up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crowdedArchive } from '@sealpost/dev-env/crowded-archive';
import { type ZipFile, zipOf } from '../../../src/slices/account-export/zip-of.ts';

test('an archive of 65,535 files, the first number that the usual end cannot tell, has all of them', async () => {
  const count = 65_535;
  const module = import.meta.resolve('../../../src/slices/account-export/zip-of.ts');
  const found = await crowdedArchive(module, count);
  assert.deepEqual(found, { told: count, read: count, last: ['account.json', 'last'] });
});

test('who stops reading early ends the source of the files too', async () => {
  let isOver = false;
  async function* files(): AsyncGenerator<ZipFile, void> {
    try {
      for (let number = 1; ; number += 1) yield { name: `${number}.txt`, input: (async function* () {})() };
    } finally {
      isOver = true;
    }
  }
  for await (const piece of zipOf(files())) {
    assert.ok(piece.length > 0);
    break;
  }
  assert.equal(isOver, true);
});
