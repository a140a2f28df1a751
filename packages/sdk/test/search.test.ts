// Searching texts: words, case and width; which texts are read from where; and that nothing unsent is kept for it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';
import { type Client, type ClientStore, memoryStore, NetworkError, type SearchOptions } from '@sealpost/sdk';
import { opened } from './opened.ts';
import { recordedFetch } from './recorded-fetch.ts';
import { aParty } from './sealing-parties.ts';

/** More than a client keeps of a chat. */
const MANY = 460;

/** Returns a store in memory, and what its rows hold. */
function watchedStore() {
  const store = memoryStore();
  const rows = new Map<string, string>();
  const state: ClientStore['state'] = {
    ...store.state,
    remove: (account) => store.state.remove(account),
    async open(account) {
      const own = await store.state.open(account);
      return {
        ...own,
        async commit(writes) {
          await own.commit(writes);
          for (const { key, value } of writes) rows.set(key, String(value));
        },
      };
    },
  };
  return { store: { ...store, state }, held: () => [...rows.values()].join('\n') };
}

describe('search', () => {
  let server: TestServer;
  let ann: TestUser;
  let ben: Awaited<ReturnType<typeof aParty>>;
  let client: Client;
  let calls: ReturnType<typeof recordedFetch>;
  let store: ClientStore;
  let held: () => string;
  let isDown = false;
  before(async () => {
    server = await startServer();
    ann = await server.user('ann');
    ben = await aParty(server, 'ben');
    ({ store, held } = watchedStore());
    calls = recordedFetch(() => (isDown ? Promise.reject(new TypeError('no connection')) : undefined));
    client = await opened(server, ann, { store, fetch: calls.fetch });
    await client.synced();
  });
  after(() => server.close());

  const says = async (text: string): Promise<string> => (await ben.sealing.sendText(ann.mid, text)).message.id;
  const arrived = (id: string) => until(() => client.replica.chat(ben.mid)?.last?.id === id, 'the message comes');

  async function find(query: string, options: SearchOptions = {}, by = client): Promise<string[]> {
    const found: string[] = [];
    for await (const { text } of by.messaging.search(query, { chatMid: ben.mid, ...options })) found.push(text ?? '');
    return found;
  }

  test('messages with all words are found, whatever their case, width and spaces', async () => {
    for (const text of ['The HARBOUR', 'ｈａｒｂｏｕｒ\nwide', 'other']) await arrived(await says(text));
    assert.deepEqual(await find('harbour'), ['ｈａｒｂｏｕｒ\nwide', 'The HARBOUR']);
    assert.deepEqual(await find(' harbour\twide '), ['ｈａｒｂｏｕｒ\nwide']);
    assert.deepEqual(await find('  '), []);
    assert.deepEqual(await find('harbour', { chatMid: undefined }), ['ｈａｒｂｏｕｒ\nwide', 'The HARBOUR']);
  });

  test('a text is read from the server once, however often it is searched', async () => {
    for (let n = 1; n <= MANY; n++) await says(`number ${n}${n % 100 === 7 ? ' lucky' : ''}`);
    const lucky = ['number 407 lucky', 'number 307 lucky', 'number 207 lucky', 'number 107 lucky', 'number 7 lucky'];
    await client.synced();
    assert.deepEqual(await find('lucky'), lucky);
    calls.requests.splice(0);
    let looked = 0;
    const onLooked = (count: number): void => {
      looked += count;
    };
    assert.deepEqual(await find('nowhere', { onLooked }), []);
    assert.equal(looked, MANY + 3);
    assert.deepEqual(calls.requests, []);
    assert.deepEqual(await find('lucky'), lucky);
    // Only results that are not kept are read, all in one call for each block of texts.
    assert.ok(calls.requests.length <= 3, `${calls.requests.length} requests`);
  });

  test('messages that came after a search are found by the next one', async () => {
    await arrived(await says('a late one'));
    calls.requests.splice(0);
    assert.deepEqual(await find('late'), ['a late one']);
    for (let n = 0; n < 3; n++) await says('lately');
    await arrived(await says('late again'));
    assert.deepEqual(await find('late'), ['late again', 'lately', 'lately', 'lately', 'a late one']);
    assert.deepEqual(await find('late one'), ['a late one']);
    assert.deepEqual(await find('lucky number'), await find('number lucky'));
  });

  test('a text that is unsent is not found, and not kept', async () => {
    const old = 'number 42';
    const { id } = await found(`${old} `);
    const recent = await says('a secret');
    await arrived(recent);
    assert.deepEqual(await find('secret'), ['a secret']);
    assert.ok(held().includes('number 42\\n') && held().includes('a secret'));
    for (const messageId of [id, recent])
      await ben.client.TalkService.unsendMessage(ben.client.nextReqSeq(), messageId);
    await client.synced();
    assert.deepEqual(await find('secret'), []);
    assert.ok(!(await find('number 42')).includes(old));
    assert.ok(!held().includes('a secret'));
    assert.ok(!held().includes('number 42\\n'));
  });

  test('messages that were searched while they were sealed are found when they open', async () => {
    const second = await opened(server, ann);
    assert.deepEqual(await find('lucky', {}, second), []);
    await second.rpc.keyStore.addOwnKeys(ann.mid, await store.keyStore.ownKeys(ann.mid));
    await second.synced();
    assert.deepEqual(await find('lucky', {}, second), await find('lucky'));
    await second.close();
  });

  test('without a connection what is kept is found, and the chats are told of which more was asked for', async () => {
    isDown = true;
    try {
      const unread: string[] = [];
      const onUnread = (chatMid: string, error: Error): void => {
        assert.ok(error instanceof NetworkError);
        unread.push(chatMid);
      };
      assert.deepEqual(await find('lucky', { onUnread }), ['number 407 lucky', 'number 307 lucky']);
      assert.deepEqual(unread, [ben.mid]);
      await assert.rejects(find('lucky'), NetworkError);
    } finally {
      isDown = false;
    }
  });

  test('an ended search looks at no further message', async () => {
    const stop = new AbortController();
    let looked = 0;
    const onLooked = (): void => {
      looked += 1;
      stop.abort();
    };
    await find('number', { signal: stop.signal, onLooked });
    assert.equal(looked, 1);
  });

  test('the texts of removed history are forgotten', async () => {
    const { id } = await found('number 300 ');
    await client.messaging.removeHistory(ben.mid, id);
    await client.synced();
    assert.deepEqual(await find('lucky'), ['number 407 lucky', 'number 307 lucky']);
    assert.ok(!held().includes('number 299'));
    assert.deepEqual([(await find('number')).length, (await find('number')).at(-1)], [MANY - 300, 'number 301']);
    await client.messaging.removeHistory(ben.mid);
    await client.synced();
    assert.deepEqual(await find('number'), []);
    assert.ok(!held().includes('number 310'));
  });

  /** Returns the message whose text is the query without its spaces at the end. */
  async function found(query: string) {
    for await (const message of client.messaging.search(query, { chatMid: ben.mid }))
      if (message.text === query.trim()) return message;
    throw new Error(`nobody said ${query}`);
  }
});
