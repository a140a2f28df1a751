// Messages that a device keeps: a chat whose first message is kept needs no server for its history.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';
import { type Client, createClient, memoryStore } from '@sealpost/sdk';

describe('kept messages', () => {
  let server: TestServer;
  let ann: TestUser;
  let ben: TestUser;
  let client: Client;
  /** The calls for a part of a history. */
  const asked: string[] = [];

  before(async () => {
    server = await startServer();
    ann = await server.user('ann');
    ben = await server.user('ben');
    for (let n = 1; n <= 5; n++) await ben.client.sendText(ann.mid, `message ${n}`);
    const store = memoryStore();
    const { session } = await ann.session();
    assert.ok(session);
    await store.session.save(session);
    const counting: typeof fetch = (input, init) => {
      if (/get(Recent|Previous)Messages/.test(String(input))) asked.push(String(input));
      return fetch(input, init);
    };
    client = createClient({ url: server.url, store, fetch: counting });
    await client.open();
    await client.synced();
  });
  after(async () => {
    await client.close();
    await server.close();
  });

  const texts = async (): Promise<(string | undefined)[]> =>
    (await client.replica.messages(ben.mid)).map(({ text }) => text);

  test('the beginning of a chat is asked for once', async () => {
    assert.equal((await texts()).length, 5);
    assert.notEqual(asked.length, 0);
    asked.length = 0;
    assert.equal((await texts()).length, 5);
    assert.deepEqual(asked, []);
  });

  test('a new message joins those that are kept', async () => {
    await ben.client.sendText(ann.mid, 'message 6');
    await until(() => client.replica.chat(ben.mid)?.last?.text === 'message 6', 'the message came');
    assert.deepEqual((await texts()).slice(0, 2), ['message 6', 'message 5']);
    assert.deepEqual(asked, []);
  });

  test('a search of what is kept asks for nothing', async () => {
    const found = [];
    for await (const { text } of client.messaging.search('message', { chatMid: ben.mid })) found.push(text);
    assert.equal(found.length, 6);
    assert.deepEqual(asked, []);
  });

  test('a chat with more than is kept still asks for the rest', async () => {
    for (let n = 7; n <= 300; n++) await ben.client.sendText(ann.mid, `message ${n}`);
    await client.synced();
    let count = 0;
    for await (const _ of client.messaging.history(ben.mid)) count += 1;
    assert.equal(count, 300);
    assert.notEqual(asked.length, 0);
  });
});
