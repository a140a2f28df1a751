import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { createLanes } from '../../../src/platform/store/lanes.ts';

const MOST = 3;
/** Returns after one round of the event loop. */
const round = (): Promise<void> => new Promise(setImmediate);

describe('groups that run beside each other', () => {
  /** The running groups by their items, each with the function that ends the group. */
  let running: Map<string, () => void>;
  let armed: (() => void)[];
  let send: (item: string) => Promise<void>;
  beforeEach(() => {
    running = new Map();
    armed = [];
    send = createLanes<string, void>({
      write: (group) =>
        new Promise((resolve) => {
          const name = group.map(({ item }) => item).join(' ');
          running.set(name, () => {
            running.delete(name);
            for (const { resolve: answer } of group) answer();
            resolve();
          });
        }),
      // The keys of an item are its letters.
      keysOf: (item) => [...item.replace(/\d/g, '')],
      most: MOST,
      timers: {
        after: (_, run) => {
          armed.push(run);
          return { cancel: () => {} };
        },
        every: () => assert.fail('nothing here is regular'),
      },
    });
  });

  async function come(...items: string[]): Promise<string[]> {
    for (const item of items) void send(item);
    return quiet();
  }
  async function end(name: string): Promise<string[]> {
    running.get(name)?.();
    return quiet();
  }
  /** Waits for more rounds than a group waits for further items. */
  async function quiet(): Promise<string[]> {
    for (let i = 0; i < 4; i++) await round();
    return [...running.keys()];
  }
  function fifty(): string[] {
    for (const run of armed.splice(0)) run();
    return [...running.keys()];
  }

  test('a few items wait for the running group, but not for one that takes long', async () => {
    assert.deepEqual(await come('a1'), ['a1']);
    assert.equal(armed.length, 0);
    assert.deepEqual(await come('b1', 'c1'), ['a1']);
    assert.equal(armed.length, 1);
    assert.deepEqual(fifty(), ['a1', 'b1 c1']);
    assert.deepEqual(await end('b1 c1'), ['a1']);
    // The item shares no key with a running group, so its group starts at once.
    assert.deepEqual(await come('d1'), ['a1', 'd1']);
  });

  test('groups that share a key with a group that takes long wait for it, in their order', async () => {
    await come('a1');
    await come('a2', 'b1', 'a3');
    assert.deepEqual(fifty(), ['a1', 'b1']);
    fifty();
    assert.deepEqual(await end('b1'), ['a1']);
    assert.deepEqual(await end('a1'), ['a2 a3']);
  });

  test('a waiting item is not overtaken by a later item with a common key', async () => {
    await come('a1');
    await come('ab1', 'b1');
    assert.deepEqual(fifty(), ['a1']);
    assert.deepEqual(await end('a1'), ['ab1 b1']);
  });

  test('groups stay within their number, and no timer runs for items that only an end can help', async () => {
    for (const item of ['a1', 'b1', 'c1', 'd1']) {
      await come(item);
      fifty();
    }
    assert.equal(running.size, MOST);
    assert.equal(armed.length, 0);
    assert.deepEqual(await end('b1'), ['a1', 'c1', 'd1']);
  });

  test('many waiting items start at once beside a running group', async () => {
    await come('a1');
    const [first = '', ...others] = Array.from({ length: 128 }, (_, i) => String.fromCharCode(0x4e00 + i));
    assert.equal((await come(...others)).length, 1);
    assert.equal((await come(first)).length, 2);
  });

  test('callers that come back after their group share the next one with an item that waited', async () => {
    await come('a1', 'b1', 'c1', 'd1', 'e1');
    await come('f1');
    running.get('a1 b1 c1 d1 e1')?.();
    for (const item of ['a2', 'b2', 'c2']) {
      await round();
      void send(item);
    }
    assert.deepEqual(await quiet(), ['f1 a2 b2 c2']);
  });

  test('an item that waited alone gets its group when nobody comes back', async () => {
    await come('a1', 'b1', 'c1', 'd1', 'e1');
    await come('f1');
    assert.deepEqual(await end('a1 b1 c1 d1 e1'), ['f1']);
  });

  test('the next group starts at once when many items waited for it', async () => {
    await come('a1', 'b1', 'c1', 'd1');
    await come('e1');
    running.get('a1 b1 c1 d1')?.();
    await round();
    assert.deepEqual([...running.keys()], ['e1']);
  });

  test('items that come without a pause do not delay a group forever', async () => {
    for (let i = 0; i < 100; i++) {
      void send(String.fromCharCode(0x4e00 + i));
      await round();
    }
    assert.equal(running.size, 1);
  });
});
