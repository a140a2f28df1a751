import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  type ByteSource,
  type Bytes,
  createKeyMaterial,
  createVideoReader,
  decryptUnverified,
  fromBase64,
  type MediaKind,
  OpenError,
  type OpenErrorReason,
  openMedia,
  openVerifiedMedia,
  sealMedia,
  sealVideo,
  toBase64,
  verifyMedia,
} from '@sealpost/crypto';
import { fc } from '@sealpost/dev-env/chance';
import { createHmac as portableHmac } from '../src/streaming-hash.ts';
import { createHmac as nodeHmac } from '../src/streaming-hash-node.ts';

interface Content {
  seed: string;
  size: number;
}

interface Vectors {
  media: (Record<'name' | 'keyMaterial' | 'blobSha256' | 'mac', string> & {
    kind: 'image' | 'video' | 'file';
    plain: Content;
    blob?: string;
    hashes?: string;
    preview?: { plain: Content; blobSha256: string };
  })[];
  refusedMedia: (Record<'name' | 'keyMaterial' | 'blob', string> & { kind: MediaKind; reason: OpenErrorReason })[];
}

const vectorsFile = new URL('../../../docs/letter-sealing-vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(vectorsFile, 'utf8')) as Vectors;
const PIECE = 131072;

/** Returns the content of a vector: blocks of SHA-256 over the seed and a 32-bit counter. */
function contentOf({ seed, size }: Content): Bytes {
  const bytes = new Uint8Array(size);
  for (let n = 0; n * 32 < size; n++) {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(n);
    const block = createHash('sha256').update(seed).update(count).digest();
    bytes.set(block.subarray(0, Math.min(32, size - n * 32)), n * 32);
  }
  return bytes;
}

async function collect(source: AsyncIterable<Uint8Array>): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Uint8Array.from(Buffer.concat(chunks));
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64');
const inChunks = function* (bytes: Uint8Array, size: number): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
};
const failsWith = (reason: OpenErrorReason) => (error: unknown) =>
  error instanceof OpenError && error.reason === reason;

for (const v of vectors.media) {
  const keyMaterial = fromBase64(v.keyMaterial);
  const kind: MediaKind = v.kind === 'video' ? 'video' : 'other';

  test(`media are sealed as in the vector, and open again: ${v.name}`, async () => {
    const plain = contentOf(v.plain);
    const video = sealVideo(keyMaterial, inChunks(plain, 50_000));
    const blob = await collect(kind === 'video' ? video.blob : sealMedia(keyMaterial, inChunks(plain, 50_000)));
    assert.equal(sha256(blob), v.blobSha256);
    assert.equal(toBase64(blob.slice(-32)), v.mac);
    if (v.blob !== undefined) assert.equal(toBase64(blob), v.blob);
    if (v.hashes !== undefined) assert.equal(toBase64(video.hashes()), v.hashes);
    assert.deepEqual(await collect(openMedia(keyMaterial, inChunks(blob, 70_000), kind)), plain);
    assert.deepEqual(await collect(openVerifiedMedia(keyMaterial, () => [blob], kind)), plain);
  });

  if (v.preview) {
    const { plain, blobSha256 } = v.preview;
    test(`the preview is sealed as in the vector: ${v.name}`, async () => {
      assert.equal(sha256(await collect(sealMedia(keyMaterial, [contentOf(plain)]))), blobSha256);
    });
  }

  const { hashes } = v;
  if (hashes !== undefined) {
    test(`every piece of the video opens by itself: ${v.name}`, async () => {
      const plain = contentOf(v.plain);
      const cipher = await collect(sealVideo(keyMaterial, [plain]).blob);
      const reader = await createVideoReader(keyMaterial, fromBase64(hashes), fromBase64(v.mac));
      assert.equal(reader.pieces, Math.ceil(v.plain.size / PIECE));
      for (let index = reader.pieces - 1; index >= 0; index--) {
        const [from, to] = [index * PIECE, Math.min((index + 1) * PIECE, v.plain.size)];
        assert.deepEqual(await reader.open(index, cipher.slice(from, to)), plain.slice(from, to));
        await assert.rejects(reader.open(index + 1, cipher.slice(from, to)), failsWith('tampered'));
      }
    });
  }
}

for (const v of vectors.refusedMedia) {
  test(`media refused as ${v.reason}: ${v.name}`, async () => {
    const [keyMaterial, blob] = [fromBase64(v.keyMaterial), fromBase64(v.blob)];
    await assert.rejects(verifyMedia(keyMaterial, [blob], v.kind), failsWith(v.reason));
    await assert.rejects(collect(openMedia(keyMaterial, [blob], v.kind)), failsWith(v.reason));
    const seen: Uint8Array[] = [];
    const opening = async () => {
      for await (const chunk of openVerifiedMedia(keyMaterial, () => [blob], v.kind)) seen.push(chunk);
    };
    await assert.rejects(opening, failsWith(v.reason));
    assert.deepEqual(seen, [], 'nothing comes out before all is verified');
  });
}

const bytes = fc.uint8Array({ maxLength: 500 });
const kinds = fc.constantFrom<MediaKind>('video', 'other');
const sealedAs = (kind: MediaKind, keyMaterial: Bytes, plain: ByteSource) =>
  collect(kind === 'video' ? sealVideo(keyMaterial, plain).blob : sealMedia(keyMaterial, plain));

test('how the bytes are cut into chunks makes no difference', async () => {
  const plain = contentOf({ seed: 'cut', size: 2 * PIECE + 777 });
  const keyMaterial = createKeyMaterial();
  const whole = await sealedAs('video', keyMaterial, [plain]);
  const sizes = fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(sizes, async (cuts) => {
      function* cut(all: Uint8Array): Generator<Uint8Array, void> {
        let at = 0;
        for (const size of cuts) {
          yield all.subarray(at, at + size);
          at += size;
        }
        yield all.subarray(at);
      }
      assert.ok(Buffer.from(whole).equals(await sealedAs('video', keyMaterial, cut(plain))));
      assert.ok(Buffer.from(plain).equals(await collect(openMedia(keyMaterial, cut(whole), 'video'))));
    }),
    { numRuns: 20 },
  );
});

test('no changed bit and no cut passes', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, kinds, fc.nat({ max: 9999 }), fc.boolean(), async (plain, kind, n, cut) => {
      const keyMaterial = createKeyMaterial();
      const blob = await sealedAs(kind, keyMaterial, [plain]);
      const at = n % blob.length;
      const changed = cut ? blob.slice(0, at) : blob.with(at, (blob[at] ?? 0) ^ (1 << (n % 8)));
      await assert.rejects(verifyMedia(keyMaterial, [changed], kind), OpenError);
      await assert.rejects(collect(openMedia(keyMaterial, [changed], kind)), OpenError);
    }),
  );
});

test('a download goes on anywhere, and is verified once it is whole', async () => {
  const plain = contentOf({ seed: 'resumed', size: 5000 });
  const keyMaterial = createKeyMaterial();
  const blob = await sealedAs('other', keyMaterial, [plain]);
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 5000 }), fc.nat({ max: 5000 }), async (a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      assert.deepEqual(await decryptUnverified(keyMaterial, from, blob.slice(from, to)), plain.slice(from, to));
    }),
  );
  await verifyMedia(keyMaterial, [blob.slice(0, 1234), blob.slice(1234)]);
  for (const position of [-1, Number.NaN, 2 ** 36])
    await assert.rejects(decryptUnverified(keyMaterial, position, plain), RangeError);
});

test('a stream of the web platform is read as well, and is let go when the reader stops', async () => {
  const keyMaterial = createKeyMaterial();
  const plain = contentOf({ seed: 'web', size: PIECE });
  const blob = await sealedAs('other', keyMaterial, new Blob([plain]).stream());
  assert.deepEqual(await collect(openMedia(keyMaterial, new Response(blob).body ?? [])), plain);
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(PIECE)),
    cancel: () => {
      cancelled = true;
    },
  });
  // In some browsers, a stream has only a reader, and cannot be iterated.
  const notIterable = { getReader: () => endless.getReader() } as ReadableStream<Uint8Array>;
  for await (const _ of sealMedia(keyMaterial, notIterable)) break;
  assert.ok(cancelled);
});

test('media of any size are sealed and opened piece by piece', async () => {
  const keyMaterial = createKeyMaterial();
  let made = 0;
  let open = 0;
  function* plain(): Generator<Uint8Array, void> {
    for (; made < 400; made++) yield new Uint8Array(PIECE);
  }
  for await (const piece of openMedia(keyMaterial, sealMedia(keyMaterial, plain()))) {
    open += piece.length;
    assert.ok(made * PIECE - open <= 3 * PIECE, 'no more is read than what the next piece needs');
  }
  assert.equal(open, 400 * PIECE);
});

test('the hashes of a video are not known before its end', async () => {
  const video = sealVideo(createKeyMaterial(), [new Uint8Array(PIECE + 1)]);
  for await (const _ of video.blob) {
    assert.throws(() => video.hashes(), /when all of it/);
    break;
  }
  assert.throws(() => video.hashes(), /when all of it/);
});

test('a list of hashes that was changed, cut or extended makes no reader', async () => {
  const keyMaterial = createKeyMaterial();
  const video = sealVideo(keyMaterial, [new Uint8Array(3 * PIECE)]);
  const blob = await collect(video.blob);
  const [hashes, mac] = [video.hashes(), blob.slice(-32)];
  const bad = [hashes.with(5, (hashes[5] ?? 0) ^ 1), hashes.slice(32), hashes.slice(0, -1), new Uint8Array(200)];
  for (const list of bad) await assert.rejects(createVideoReader(keyMaterial, list, mac), failsWith('tampered'));
  await assert.rejects(createVideoReader(keyMaterial, hashes, mac.slice(1)), failsWith('malformed'));
  const reader = await createVideoReader(keyMaterial, hashes, mac);
  for (const index of [-1, 0.5, 3])
    await assert.rejects(reader.open(index, blob.slice(0, PIECE)), failsWith('tampered'));
});

test('the MAC of Node and the portable one are the same', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.array(bytes), (key, parts) => {
      const [node, portable] = [nodeHmac(key), portableHmac(key)];
      for (const part of parts) {
        node.update(part);
        portable.update(part);
      }
      assert.equal(toBase64(node.digest()), toBase64(portable.digest()));
    }),
  );
});
