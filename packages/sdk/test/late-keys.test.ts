// Sealed messages whose keys come late, because the network failed or because this device had no keys yet: they open by
// themselves.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { hurriedTimers } from '@sealpost/dev-env/hurried-timers';
import { until } from '@sealpost/dev-env/until';
import {
  type Client,
  type ClientStore,
  createClient,
  createSealingClient,
  memoryStore,
  openFailures,
  type ReplicaChanges,
  type StoredMessage,
} from '@sealpost/sdk';
import { opened } from './opened.ts';
import { type Instead, recordedFetch } from './recorded-fetch.ts';
import { aGroup, aParty } from './sealing-parties.ts';

type Keys = Awaited<ReturnType<ClientStore['keyStore']['ownKeys']>>;

const refused = (): Promise<Response> => Promise.reject(new TypeError('the connection was refused'));
const nameOf = (path: string): string => path.split('?')[0]?.split('/').at(-1) ?? '';
const timers = hurriedTimers(50);
const stateOf = ({ sealing }: StoredMessage): string => (sealing.state === 'unopened' ? sealing.reason : sealing.state);

/** Returns an answer in place of the server's for the first calls of some methods. */
function failing(methods: readonly string[], times: number, instead: Instead = refused) {
  const left = new Map(methods.map((method) => [method, times]));
  const answer: Instead = (request, ask) => {
    const name = nameOf(request.path);
    const count = left.get(name) ?? 0;
    if (count === 0) return undefined;
    left.set(name, count - 1);
    return instead(request, ask);
  };
  return { answer, isOver: () => [...left.values()].every((count) => count === 0) };
}

describe('sealed messages whose keys come late', () => {
  let server: TestServer;
  let ann: TestUser;
  let anns: Client;
  before(async () => {
    server = await startServer();
    ann = await server.user('ann');
    anns = await opened(server, ann);
    await anns.sealing.ownKey();
  });
  after(() => server.close());

  /** Returns a client of a new user that has a key and follows its log. Requests are answered by `instead` from `begin` on. */
  async function receiver({ instead, store = memoryStore() }: { instead: Instead; store?: ClientStore }) {
    const user = await server.user('ben');
    let isBegun = false;
    const calls = recordedFetch((request, ask) => (isBegun ? instead(request, ask) : undefined));
    const client = await opened(server, user, { store, timers, fetch: calls.fetch });
    await client.sealing.ownKey();
    await client.trust.checkOwnKeys();
    await until(() => client.connection.state === 'online', 'the stream is open');
    await client.synced();
    const told: string[] = [];
    client.replica.onChange(({ messages }: ReplicaChanges) => {
      for (const changed of messages.values())
        for (const message of changed.values()) if (message) told.push(stateOf(message));
    });
    const begin = (): void => {
      calls.requests.splice(0);
      isBegun = true;
    };
    return { user, client, store, calls, told, begin };
  }

  /** Returns a client of the user on another store, which has not read anything yet. */
  async function started(user: TestUser, store: ClientStore, instead: Instead): Promise<Client> {
    await store.session.save((await user.session()).session);
    const client = createClient({ url: server.url, store, timers, fetch: recordedFetch(instead).fetch });
    server.atEnd(() => client.close());
    await client.open();
    return client;
  }

  const lastOf = (client: Client, chatMid: string) => client.replica.chat(chatMid)?.last;

  test('whichever request fails, the first message of somebody opens', async () => {
    let requests = 1;
    for (let failed = 1; failed <= requests; failed++) {
      let count = 0;
      const { user, client, calls, begin } = await receiver({
        instead: () => (++count === failed ? refused() : undefined),
      });
      begin();
      const { message, sealed } = await anns.messaging.sendText(user.mid, 'the first one');
      assert.equal(sealed, true);
      const name = (): string => `request ${failed}, ${nameOf(calls.requests[failed - 1]?.path ?? '')}`;
      await until(() => lastOf(client, ann.mid)?.id === message.id, `${name()}: the message comes`);
      await until(() => lastOf(client, ann.mid)?.text === 'the first one', `${name()}: the message opens`);
      const [kept] = await client.replica.keptMessages(ann.mid);
      assert.equal(kept?.text, 'the first one', name());
      requests = Math.max(requests, calls.requests.length);
      await client.close();
    }
    assert.ok(requests > 4, `${requests} requests`);
  });

  test('a message whose keys the server does not tell is told again when it opens, and nothing else waits for it', async () => {
    const { answer, isOver } = failing(['getE2EEPublicKey'], Number.POSITIVE_INFINITY);
    let isDown = true;
    const { user, client, told, begin } = await receiver({
      instead: (request, ask) => (isDown ? answer(request, ask) : undefined),
    });
    begin();
    const { message } = await anns.messaging.sendText(user.mid, 'late');
    await until(() => lastOf(client, ann.mid)?.id === message.id, 'the message comes');
    const { sealing } = lastOf(client, ann.mid) as StoredMessage;
    assert.ok(sealing.state === 'unopened');
    assert.deepEqual([sealing.reason, sealing.waitsFor], ['unavailable', 'server']);
    assert.equal(sealing.cause, openFailures.unavailable.cause);
    await until(() => client.replica.contact(ann.mid) !== undefined, 'the sender is read meanwhile');
    assert.equal(isOver(), false);
    isDown = false;
    await client.synced();
    assert.equal(lastOf(client, ann.mid)?.text, 'late');
    assert.deepEqual([told[0], told.at(-1)], ['unavailable', 'opened']);
  });

  test('a message of a group opens too', async () => {
    const { answer, isOver } = failing(
      ['getE2EEGroupSharedKey', 'getChats', 'getE2EEPublicKey', 'getInclusionProof'],
      1,
    );
    const { user, client, begin } = await receiver({ instead: answer });
    const carol = await aParty(server, 'carol');
    const dave = await aParty(server, 'dave');
    const chatMid = await aGroup(carol, dave);
    await carol.client.TalkService.inviteIntoChat({
      reqSeq: carol.client.nextReqSeq(),
      chatMid,
      targetUserMids: [user.mid],
    });
    await client.chats.accept(chatMid);
    await client.synced();
    begin();
    await carol.sealing.sendText(chatMid, 'to all', 'sealed');
    await until(() => lastOf(client, chatMid)?.text === 'to all', 'the message opens');
    assert.ok(isOver());
  });

  test('a refusal that breaks off is no answer', async () => {
    const brokenOff = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('{"code":10051,')),
      pull: (stream) => stream.error(new TypeError('the connection was lost')),
    });
    const { answer, isOver } = failing(['getE2EEPublicKey'], 1, async () => new Response(brokenOff, { status: 400 }));
    const { user, client, begin } = await receiver({ instead: answer });
    begin();
    await anns.messaging.sendText(user.mid, 'after a break');
    await until(() => lastOf(client, ann.mid)?.text === 'after a break', 'the message opens');
    assert.ok(isOver());
  });

  for (const status of [200, 400]) {
    test(`an answer ${status} whose head breaks off is no answer`, async () => {
      // That is what a browser makes of it.
      const { answer, isOver } = failing(['getE2EEPublicKey'], 1, async () => new Response('', { status }));
      const { user, client, begin } = await receiver({ instead: answer });
      begin();
      await anns.messaging.sendText(user.mid, 'after a break');
      await until(() => lastOf(client, ann.mid)?.text === 'after a break', 'the message opens');
      assert.ok(isOver());
    });
  }

  test('a message that waits opens in the next life of the client', async () => {
    const { user, client, store, begin } = await receiver({ instead: failing(['getE2EEPublicKey'], 1e9).answer });
    begin();
    const { message } = await anns.messaging.sendText(user.mid, 'next life');
    await until(() => lastOf(client, ann.mid)?.id === message.id, 'the message comes');
    // Only the message itself is still to be read in the next life.
    await until(() => client.replica.contact(ann.mid) !== undefined, 'the sender is read');
    await client.close();
    const next = createClient({ url: server.url, store, timers });
    server.atEnd(() => next.close());
    await next.open();
    await next.synced();
    assert.equal(lastOf(next, ann.mid)?.text, 'next life');
  });

  test('messages that are not kept are told too when they open', async () => {
    const { user, client, store } = await receiver({ instead: () => undefined });
    const texts = ['1', '2', '3', '4'];
    const ids: string[] = [];
    for (const text of texts) ids.push((await anns.messaging.sendText(user.mid, text)).message.id);
    const other = memoryStore();
    await other.keyStore.addOwnKeys(user.mid, await store.keyStore.ownKeys(user.mid));
    await client.close();
    let isDown = true;
    const second = await started(user, other, ({ path }) =>
      isDown && nameOf(path) === 'getE2EEPublicKey' ? refused() : undefined,
    );
    await until(() => lastOf(second, ann.mid) !== undefined, 'the chat is read');
    const opening = openingOf(second);
    // What does not follow the kept messages is not kept.
    const page = await second.replica.messages(ann.mid, { before: ids[2] as string });
    assert.deepEqual(page.map(stateOf), ['unavailable', 'unavailable']);
    assert.equal((await second.replica.keptMessages(ann.mid)).length, 1);
    isDown = false;
    await until(() => opening.includes('1') && opening.includes('2'), 'both are told');
    await second.synced();
    assert.equal(opening.filter((text) => text === '1').length, 1);
    assert.equal((await second.replica.keptMessages(ann.mid)).length, 1);
  });

  test('a message for a key whose registration had no answer opens', async () => {
    const user = await server.user('ben');
    let lost = 0;
    const calls = recordedFetch(({ path }, ask) =>
      nameOf(path) === 'registerE2EEPublicKey' && lost++ === 0 ? ask().then(refused) : undefined,
    );
    const client = await opened(server, user, { timers, fetch: calls.fetch });
    await until(() => lost === 1 && client.connection.state === 'online', 'the answer is lost, and the stream is open');
    const { sealed } = await anns.messaging.sendText(user.mid, 'for a new key');
    assert.equal(sealed, true);
    await until(() => lastOf(client, ann.mid)?.text === 'for a new key', 'the message opens');
  });

  /** Returns a user with messages of Ann, and the keys that the user's first device has. */
  async function withMessages(...texts: string[]) {
    const { user, client, store } = await receiver({ instead: () => undefined });
    const ids: string[] = [];
    for (const text of texts) ids.push((await anns.messaging.sendText(user.mid, text)).message.id);
    await client.close();
    return { user, ids, keys: await store.keyStore.ownKeys(user.mid) };
  }

  /** Returns a list to which the texts of Ann come when the client tells of them. */
  function openingOf(client: Client): string[] {
    const texts: string[] = [];
    client.replica.onChange(({ messages }) => {
      for (const message of messages.get(ann.mid)?.values() ?? []) if (message?.text) texts.push(message.text);
    });
    return texts;
  }

  const textsOf = async (client: Client): Promise<(string | undefined)[]> =>
    (await client.replica.messages(ann.mid)).map(({ text }) => text);

  test('messages open when this device gets the keys', async () => {
    const { user, keys } = await withMessages('1', '2', '3');
    const second = await opened(server, user, { timers });
    assert.deepEqual(await textsOf(second), [undefined, undefined, undefined]);
    assert.equal(lastOf(second, ann.mid)?.sealing.state, 'unopened');
    await second.rpc.keyStore.addOwnKeys(user.mid, keys);
    await second.synced();
    assert.deepEqual(await textsOf(second), ['3', '2', '1']);
    assert.equal(lastOf(second, ann.mid)?.text, '3');
  });

  test('messages that are not kept open too when this device gets the keys', async () => {
    const { user, ids, keys } = await withMessages('1', '2', '3');
    const second = await opened(server, user, { timers });
    const [one] = await second.replica.messages(ann.mid, { before: ids[1] as string });
    assert.deepEqual([one?.id, one?.text], [ids[0], undefined]);
    assert.equal((await second.replica.keptMessages(ann.mid)).length, 1);
    const opening = openingOf(second);
    await second.rpc.keyStore.addOwnKeys(user.mid, keys);
    await second.synced();
    assert.deepEqual(opening.toSorted(), ['1', '3']);
  });

  test('messages open that were kept when another program brought the keys', async () => {
    const { user, keys } = await withMessages('1', '2');
    const store = memoryStore();
    const second = await opened(server, user, { timers, store });
    assert.deepEqual(await textsOf(second), [undefined, undefined]);
    await second.close();
    await store.keyStore.addOwnKeys(user.mid, keys);
    const third = await opened(server, user, { timers, store });
    assert.deepEqual(await textsOf(third), ['2', '1']);
    assert.equal(lastOf(third, ann.mid)?.text, '2');
  });

  /** How often a message is looked for in the own keys: before and after registrations are finished. */
  const LOOKS = 2;

  /** A client that gets keys after it has looked for them, and before it stores the message that needs them. */
  async function gettingKeys(user: TestUser, keys: Keys, whenAnswered?: string) {
    const store = memoryStore();
    let looks = 0;
    let came = false;
    const ownKeys = async (mid: string): Promise<Keys> => {
      const found = await store.keyStore.ownKeys(mid);
      if (looks > 0 && --looks === 0) {
        await client.rpc.keyStore.addOwnKeys(user.mid, keys);
        // What was kept before is tried.
        await client.openAgain();
        came = true;
      }
      return found;
    };
    const client = await started(user, { ...store, keyStore: { ...store.keyStore, ownKeys } }, ({ path }, ask) => {
      if (came || whenAnswered === undefined || nameOf(path) !== whenAnswered) return undefined;
      return ask().finally(read);
    });
    const read = (): void => {
      looks = LOOKS;
    };
    return { client, read, cameToo: () => until(() => came, 'the keys come') };
  }

  test('messages open that are read from the boxes at the start while the keys come', async () => {
    const { user, keys } = await withMessages('1');
    const { client, cameToo } = await gettingKeys(user, keys, 'getMessageBoxes');
    await cameToo();
    await client.synced();
    assert.deepEqual([lastOf(client, ann.mid)?.text, ...(await textsOf(client))], ['1', '1']);
  });

  test('messages open that are read from the history while the keys come', async () => {
    const { user, keys } = await withMessages('1', '2');
    const { client, cameToo } = await gettingKeys(user, keys, 'getPreviousMessagesV2WithRequest');
    await client.synced();
    assert.deepEqual((await client.replica.messages(ann.mid)).map(stateOf), ['unknown-key', 'unknown-key']);
    await cameToo();
    await client.synced();
    assert.deepEqual(await textsOf(client), ['2', '1']);
  });

  test('messages open that come from the stream while the keys come', async () => {
    const { user, keys } = await withMessages('1');
    const { client, read, cameToo } = await gettingKeys(user, keys);
    await client.synced();
    await until(() => client.connection.state === 'online', 'the stream is open');
    await client.trust.checkOwnKeys();
    read();
    await anns.messaging.sendText(user.mid, '2');
    await cameToo();
    await client.synced();
    assert.deepEqual([lastOf(client, ann.mid)?.text, ...(await textsOf(client))], ['2', '2', '1']);
  });

  for (const { failures, state, what } of [
    { failures: 3, state: 'opened', what: 'when its keys are there' },
    { failures: Number.POSITIVE_INFINITY, state: 'unavailable', what: 'sealed if its keys never come' },
  ]) {
    test(`whoever reads operations gets each message once, ${what}`, async () => {
      const ben = await aParty(server, 'ben');
      await anns.messaging.sendText(ben.mid, 'once');
      let lookups = 0;
      const { fetch } = recordedFetch(({ path }) =>
        nameOf(path) === 'getE2EEPublicKey' && ++lookups <= failures ? refused() : undefined,
      );
      const { client } = await ben.again({ fetch });
      const stop = new AbortController();
      const told: string[] = [];
      const operations = createSealingClient(client, { timers }).operations({ from: '0', signal: stop.signal });
      for await (const event of operations) {
        if (event.kind !== 'operation' || !event.operation.message) continue;
        told.push(stateOf(event.operation.message));
        stop.abort();
      }
      client.close();
      assert.deepEqual(told, [state]);
      assert.equal(lookups, state === 'opened' ? failures + 1 : 8);
    });
  }
});
