// The end of an archive: what is added to it, and what stays as it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipPieces } from '@sealpost/contract/zip-end';

const END_BYTES = 22;
const LARGE = 0xffffffff;

/** Returns the pieces of an archive of `files` files, and the end that was given. */
async function completed({ files, offset = 100 }: { readonly files: number; readonly offset?: number }) {
  const end = new Uint8Array(END_BYTES);
  new DataView(end.buffer).setUint32(12, 20, true);
  new DataView(end.buffer).setUint32(16, offset, true);
  const first = new Uint8Array([1, 2, 3]);
  const archive = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(first);
      controller.enqueue(end);
      controller.close();
    },
  });
  const pieces: Uint8Array[] = [];
  for await (const piece of zipPieces(archive, () => files)) pieces.push(piece);
  assert.deepEqual(pieces[0], first);
  assert.equal(pieces.length, 2);
  return { end, got: pieces[1] ?? new Uint8Array() };
}

test('the end stays as it is if it can tell the number of files, or if the archive has the long end already', async () => {
  for (const archive of [{ files: 0 }, { files: 65_534 }, { files: 70_000, offset: LARGE }]) {
    const { end, got } = await completed(archive);
    assert.deepEqual(got, end, JSON.stringify(archive));
  }
});

test('from 65,535 files on, the long end tells the number and where the directory is, and where it is itself', async () => {
  const { end, got } = await completed({ files: 65_535 });
  const view = new DataView(got.buffer, got.byteOffset);
  const numbers = [24, 32, 40, 48, 64].map((at) => Number(view.getBigUint64(at, true)));
  assert.deepEqual(numbers, [65_535, 65_535, 20, 100, 120]);
  assert.deepEqual(got.subarray(-END_BYTES), end);
});
