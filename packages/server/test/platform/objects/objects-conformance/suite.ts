// Tests that every object store must pass. The test of an adapter calls this suite with a function that opens a store.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { ObjectMissing, type ObjectState, type Objects, wholeOf } from '../../../../src/platform/objects/objects.ts';

const MIB = 1024 * 1024;
const newKey = () => randomBytes(16).toString('hex');

/**
 * Yields batches of one or two pieces. A batch is overwritten when the next one is requested, as happens in an upload.
 */
export async function* batches(bytes: Buffer, size = 65_536): AsyncGenerator<readonly Buffer[]> {
  for (let at = 0, count = 1; at < bytes.length; at += size * count, count = 3 - count) {
    const batch = Array.from({ length: count }, (_, i) =>
      Buffer.from(bytes.subarray(at + i * size, at + (i + 1) * size)),
    );
    yield batch;
    for (const piece of batch) piece.fill('spoiled');
  }
}

/**
 * Declares the suite.
 * @param open opens the same store each time, so that a second instance sees what the first wrote. The store is empty
 * at first.
 */
export function objectsConformance(name: string, open: () => Promise<Objects>): void {
  describe(`objects on ${name}`, () => {
    let objects: Objects;
    before(async () => {
      objects = await open();
    });
    after(() => objects.close());

    const read = async (key: string, range?: { start: number; end: number }) => wholeOf(await objects.read(key, range));
    async function store(bytes: Buffer): Promise<string> {
      const key = newKey();
      await objects.append(key, 0, batches(bytes));
      await objects.publish(key);
      return key;
    }
    const keysOf = async (state: ObjectState): Promise<string[]> => {
      const keys: string[] = [];
      for (let last = ''; ; last = keys.at(-1) as string) {
        const page = await objects.page(state, last, 2);
        keys.push(...page.map((object) => object.key));
        if (page.length < 2) return keys;
      }
    };

    test('bytes come back as they were stored, whole and in ranges', async () => {
      const bytes = randomBytes(3 * MIB + 17);
      const key = await store(bytes);
      assert.ok(bytes.equals(await read(key)));
      for (const [start, end] of [
        [0, 0],
        [1, 99],
        [MIB - 1, MIB],
        [bytes.length - 1, bytes.length - 1],
        [0, bytes.length - 1],
      ] as const) {
        assert.ok(bytes.subarray(start, end + 1).equals(await read(key, { start, end })), `${start} to ${end}`);
      }
    });

    test('objects in quarantine cannot be read, are listed there alone, and come back unchanged', async () => {
      const bytes = randomBytes(70_000);
      const key = await store(bytes);
      await objects.quarantine(key);
      await objects.quarantine(key);
      await assert.rejects(read(key), ObjectMissing);
      assert.ok(!(await keysOf('published')).includes(key));
      assert.ok((await keysOf('quarantined')).includes(key));
      assert.equal(await objects.bringBack(key), true);
      assert.equal(await objects.bringBack(newKey()), false);
      assert.ok(!(await keysOf('quarantined')).includes(key));
      assert.ok(bytes.equals(await read(key)));
      await objects.quarantine(key);
      await objects.remove(key);
      assert.ok(!(await keysOf('quarantined')).includes(key));
      await objects.quarantine(newKey());
    });

    test('two servers that restore the same object at once both succeed', async () => {
      const bytes = randomBytes(70_000);
      const key = await store(bytes);
      await objects.quarantine(key);
      assert.deepEqual(await Promise.all([objects.bringBack(key), objects.bringBack(key)]), [true, true]);
      assert.ok(!(await keysOf('quarantined')).includes(key));
      assert.ok(bytes.equals(await read(key)));
    });

    test('a store returns its owner once it was claimed', async () => {
      await objects.claim('first');
      assert.equal(await objects.owner(), 'first');
      await objects.claim('second');
      assert.equal(await objects.owner(), 'second');
    });

    test('an empty object is an object', async () => {
      const key = await store(Buffer.alloc(0));
      assert.equal((await read(key)).length, 0);
    });

    test('appends of any size make one object', async () => {
      const bytes = randomBytes(7 * MIB + 3);
      const key = newKey();
      let at = 0;
      for (const size of [1, 65_537, 5 * MIB, 0, 2, bytes.length]) {
        const part = bytes.subarray(at, at + size);
        at = await objects.append(key, at, batches(part, 30_000));
      }
      assert.equal(at, bytes.length);
      await objects.publish(key);
      assert.ok(bytes.equals(await read(key)));
    });

    test('an append replaces what was there from its offset on', async () => {
      const key = newKey();
      await objects.append(key, 0, batches(Buffer.from('hello world')));
      assert.equal(await objects.append(key, 6, batches(Buffer.from('you'))), 9);
      await objects.publish(key);
      assert.equal((await read(key)).toString(), 'hello you');
      const again = newKey();
      await objects.append(again, 0, batches(Buffer.from('longer than the next')));
      assert.equal(await objects.append(again, 0, batches(Buffer.from('short'))), 5);
      await objects.publish(again);
      assert.equal((await read(again)).toString(), 'short');
    });

    test('an append beyond the end is refused and changes nothing', async () => {
      const key = newKey();
      await assert.rejects(objects.append(key, 5, batches(Buffer.from('x'))), ObjectMissing);
      await objects.append(key, 0, batches(Buffer.from('four')));
      await assert.rejects(objects.append(key, 5, batches(Buffer.from('x'))), ObjectMissing);
      await objects.publish(key);
      assert.equal((await read(key)).toString(), 'four');
    });

    test('a failing source is reported, and the object can be written again from an earlier offset', async () => {
      const key = newKey();
      await objects.append(key, 0, batches(Buffer.from('begin ')));
      async function* failing(): AsyncGenerator<readonly Buffer[]> {
        yield [Buffer.alloc(MIB, 'x')];
        throw new Error('the line broke');
      }
      await assert.rejects(objects.append(key, 6, failing()), /the line broke/);
      assert.equal(await objects.append(key, 6, batches(Buffer.from('end'))), 9);
      await objects.publish(key);
      assert.equal((await read(key)).toString(), 'begin end');
    });

    test('an object larger than any buffer passes through', async () => {
      const block = randomBytes(MIB);
      const sent = createHash('sha256');
      async function* long(): AsyncGenerator<readonly Buffer[]> {
        for (let i = 0; i < 96; i++) {
          sent.update(block);
          yield [block];
        }
      }
      const key = newKey();
      assert.equal(await objects.append(key, 0, long()), 96 * MIB);
      await objects.publish(key);
      const found = createHash('sha256');
      for await (const piece of await objects.read(key)) found.update(piece);
      assert.equal(found.digest('hex'), sent.digest('hex'));
      await objects.remove(key);
    });

    test('unpublished objects cannot be read, and published objects do not grow', async () => {
      const key = newKey();
      await assert.rejects(read(key), ObjectMissing);
      await objects.append(key, 0, batches(Buffer.from('x')));
      await assert.rejects(read(key), ObjectMissing);
      await objects.publish(key);
      await assert.rejects(objects.append(key, 1, batches(Buffer.from('y'))), ObjectMissing);
      assert.equal((await read(key)).toString(), 'x');
    });

    test('an append whose end nobody heard is made again from where it began, whatever its size', async () => {
      const bytes = randomBytes(21 * MIB);
      for (const [begin, end, again] of [
        [9 * MIB, 20 * MIB, 10 * MIB],
        [1, 20 * MIB, 2],
        [8 * MIB, 8 * MIB, 16 * MIB],
      ] as const) {
        const key = newKey();
        assert.equal(await objects.append(key, 0, batches(bytes.subarray(0, begin))), begin);
        assert.equal(await objects.append(key, begin, batches(Buffer.alloc(end - begin, 'x'))), end);
        assert.equal(await objects.append(key, begin, batches(bytes.subarray(begin, again))), again);
        assert.equal(await objects.append(key, again, batches(bytes.subarray(again))), bytes.length);
        await objects.publish(key);
        assert.ok(bytes.equals(await read(key)), `${begin}, ${end}, ${again}`);
        const range = { start: 8 * MIB - 5, end: 16 * MIB + 5 };
        assert.ok(bytes.subarray(range.start, range.end + 1).equals(await read(key, range)));
      }
    });

    test('publishing twice is publishing once; publishing nothing is refused', async () => {
      const key = await store(Buffer.from('once'));
      await objects.publish(key);
      assert.equal((await read(key)).toString(), 'once');
      await assert.rejects(objects.publish(newKey()), ObjectMissing);
    });

    test('removed objects are gone in every state, and removing nothing is fine', async () => {
      const published = await store(Buffer.from('x'));
      const growing = newKey();
      await objects.append(growing, 0, batches(Buffer.from('x')));
      const large = newKey();
      await objects.append(large, 0, batches(randomBytes(17 * MIB), MIB));
      for (const key of [published, growing, large, newKey()]) await objects.remove(key);
      await assert.rejects(read(published), ObjectMissing);
      for (const key of [growing, large]) await assert.rejects(objects.publish(key), ObjectMissing);
      const left = [...(await keysOf('published')), ...(await keysOf('unpublished'))];
      for (const key of [published, growing, large]) assert.ok(!left.includes(key));
    });

    test('every object is listed in its state, in pages, with the time of its last change', async () => {
      const published: string[] = [];
      const growing: string[] = [];
      for (let i = 0; i < 5; i++) {
        published.push(await store(Buffer.from('x')));
        const key = newKey();
        await objects.append(key, 0, batches(Buffer.from('x')));
        growing.push(key);
      }
      const listed = { published: await keysOf('published'), unpublished: await keysOf('unpublished') };
      assert.deepEqual(listed.published, [...new Set(listed.published)].sort());
      for (const key of published) assert.ok(listed.published.includes(key) && !listed.unpublished.includes(key));
      for (const key of growing) assert.ok(listed.unpublished.includes(key) && !listed.published.includes(key));
      const [first] = await objects.page('published', '', 1);
      assert.ok(Math.abs(Date.now() - (first?.changedTime ?? 0)) < 3_600_000);
    });

    test('another server on the same store sees and continues what the first one wrote', async () => {
      const key = newKey();
      await objects.append(key, 0, batches(Buffer.from('from one ')));
      const other = await open();
      assert.equal(await other.append(key, 9, batches(Buffer.from('to two'))), 15);
      await other.publish(key);
      assert.equal((await read(key)).toString(), 'from one to two');
      await other.close();
    });

    test('many objects are written and read at the same time', async () => {
      const all = await Promise.all(
        Array.from({ length: 40 }, async (_, i) => {
          const bytes = randomBytes(10_000 + i);
          return { bytes, key: await store(bytes) };
        }),
      );
      await Promise.all(all.map(async ({ bytes, key }) => assert.ok(bytes.equals(await read(key)))));
    });

    test('a reader that goes away early leaves the object as it is', async () => {
      const bytes = randomBytes(2 * MIB);
      const key = await store(bytes);
      for await (const piece of await objects.read(key)) {
        assert.ok(piece.equals(bytes.subarray(0, piece.length)));
        break;
      }
      assert.ok(bytes.equals(await read(key)));
    });

    test('a text that is not a key is refused before it reaches the store', async () => {
      for (const key of ['', '..', '../../etc/passwd', 'A'.repeat(32), `${'0'.repeat(31)}/`, `${'0'.repeat(32)}\n`]) {
        await assert.rejects(objects.append(key, 0, batches(Buffer.from('x'))), /not an object key/);
        await assert.rejects(objects.read(key), /not an object key/);
        await assert.rejects(objects.publish(key), /not an object key/);
        await assert.rejects(objects.remove(key), /not an object key/);
      }
    });

    test('a store that works says so', () => objects.check());
  });
}
