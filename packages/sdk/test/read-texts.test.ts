// Texts that stay in memory while somebody searches: read once, as new as the last commit, and forgotten a minute later.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { virtualTime } from '@sealpost/dev-env/virtual-time';
import { memoryStore } from '@sealpost/sdk';
import { ReadTexts } from '../src/messaging/read-texts.ts';
import { messageKey, textBlocks } from '../src/replica/tables.ts';
import { putBlocks } from '../src/replica/texts.ts';
import { LocalState } from '../src/store/local-state.ts';

const CHAT = 'u1';

describe('texts in memory', () => {
  let state: LocalState;
  let reads: number;
  const time = virtualTime();
  let texts: ReadTexts;

  beforeEach(async () => {
    const rows = await memoryStore().state.open('ann');
    const range = (...args: Parameters<typeof rows.range>) => {
      reads += 1;
      return rows.range(...args);
    };
    state = await LocalState.open({ ...rows, range }, [], (error) => assert.fail(String(error)));
    await state.change(async (tx) => {
      putBlocks(tx, CHAT, [['3', 'three']]);
      putBlocks(tx, CHAT, [['1', 'one']]);
      putBlocks(tx, 'u2', [['2', 'two']]);
    });
    reads = 0;
    texts = new ReadTexts(state, time.ports.timers);
  });

  /** Returns the texts of a chat, the newest first. */
  const ofChat = async (chatMid = CHAT): Promise<string[]> =>
    ((await texts.all()).get(chatMid) ?? []).map((block) => block.texts);

  test('are read once, the newest of a chat first', async () => {
    assert.deepEqual(await ofChat(), ['three', 'one']);
    assert.deepEqual(await ofChat('u2'), ['two']);
    assert.equal(reads, 1);
  });

  test('follow what is committed, also while they are read', async () => {
    const first = ofChat();
    const added = state.change(async (tx) => putBlocks(tx, CHAT, [['5', 'five']]));
    await Promise.all([first, added]);
    assert.deepEqual(await ofChat(), ['five', 'three', 'one']);
    await state.change(async (tx) => {
      tx.delete(textBlocks, messageKey(CHAT, '3'));
      putBlocks(tx, CHAT, [['1', 'changed']]);
    });
    assert.deepEqual(await ofChat(), ['five', 'changed']);
  });

  test('are forgotten a minute after the last search', async () => {
    await ofChat();
    await time.advance(59_000);
    await ofChat();
    await time.advance(59_000);
    await ofChat();
    assert.equal(reads, 1);
    await time.advance(60_000);
    await state.change(async (tx) => putBlocks(tx, CHAT, [['7', 'seven']]));
    assert.deepEqual(await ofChat(), ['seven', 'three', 'one']);
    assert.equal(reads, 2);
  });

  test('a read that fails is repeated by the next search', async () => {
    const broken = await memoryStore().state.open('ben');
    let fails = true;
    const rows = {
      ...broken,
      range: (...args: Parameters<typeof broken.range>) =>
        fails ? Promise.reject(new Error('no disk')) : broken.range(...args),
    };
    state = await LocalState.open(rows, [], (error) => assert.fail(String(error)));
    texts = new ReadTexts(state, time.ports.timers);
    await assert.rejects(texts.all(), /no disk/);
    fails = false;
    assert.deepEqual(await ofChat(), []);
  });
});
