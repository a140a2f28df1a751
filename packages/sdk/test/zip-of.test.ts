// Archives that the usual form of ZIP cannot hold: more than 4 GB, and more files than a number of 16 bits counts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crowdedArchive } from '@sealpost/dev-env/crowded-archive';
import { GIB, LargePiece, SparseArchive } from '@sealpost/dev-env/sparse-archive';
import { type ExportEntry, zipOf } from '@sealpost/sdk/export';

async function* pieces(...all: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* all;
}

test('an archive of more than 4 GB tells the right sizes and places', async () => {
  async function* entries(): AsyncGenerator<ExportEntry> {
    yield { path: 'README.txt', content: pieces(Buffer.from('first')) };
    yield { path: 'media/1.mp4', content: pieces(...Array.from({ length: 5 }, () => new LargePiece(0))) };
    yield { path: 'account.json', content: pieces(Buffer.from('{"last":'), Buffer.from('true}')) };
  }
  const archive = new SparseArchive();
  for await (const piece of zipOf(entries())) archive.add(piece);
  assert.ok(archive.size > 5 * GIB, `it has ${archive.size} bytes`);
  assert.deepEqual(await archive.files(), [
    ['README.txt', 5, 'first'],
    ['media/1.mp4', 5 * GIB],
    ['account.json', 13, '{"last":true}'],
  ]);
});

test('an archive of more files than 16 bits count has all of them', async () => {
  const count = 65_537;
  const found = await crowdedArchive(import.meta.resolve('@sealpost/sdk/export'), count);
  assert.deepEqual(found, { told: count, read: count, last: ['account.json', 'last'] });
});
