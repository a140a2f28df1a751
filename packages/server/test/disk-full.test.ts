import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../src/store/sql.ts';
import { startServer } from './harness.ts';

const room = (pages: number) => sql<{ max_page_count: number }>(`pragma max_page_count = ${pages}`);

test('a full disk refuses sends as overloaded, keeps reading, and takes them again once there is room', async () => {
  const server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const { store } = server.server;
  await alice.client.sendText(bob.mid, 'before');
  const setRoom = (pages: number) => store.transact((tx) => tx.one(room(pages)));
  await setRoom(1);
  const send = (reqSeq: number, text: string) => alice.client.TalkService.sendMessage(reqSeq, { to: bob.mid, text });
  let refused = 0;
  for (let reqSeq = 1000; reqSeq < 1400 && refused === 0; reqSeq++) {
    await send(reqSeq, 'x'.repeat(9000)).catch((error: { error?: string }) => {
      assert.equal(error.error, 'OVERLOADED');
      refused = reqSeq;
    });
  }
  assert.ok(refused > 0);
  const stored = (await bob.client.TalkService.getRecentMessagesV2(alice.mid, 100)).length;
  await setRoom(1_000_000);
  const message = await send(refused, 'x'.repeat(9000));
  const [newest] = await bob.client.TalkService.getRecentMessagesV2(alice.mid, 1);
  assert.equal(newest?.id, message.id);
  assert.equal((await bob.client.TalkService.getRecentMessagesV2(alice.mid, 100)).length, Math.min(100, stored + 1));
  await server.close();
});
