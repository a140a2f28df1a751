// The outbox: what was queued arrives once and in order, whatever happens to connection, session and program.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { hurriedTimers } from '@sealpost/dev-env/hurried-timers';
import { until } from '@sealpost/dev-env/until';
import { type Client, type ClientStore, createClient, memoryStore, SendFailed, systemPorts } from '@sealpost/sdk';

/** A network that a test can break. */
class Network {
  /** Called before each request; may throw. */
  before: (path: string) => void | Promise<void> = () => {};
  /** Called when an answer is there, which is lost if this throws. */
  after: (path: string) => void | Promise<void> = () => {};
  sends = 0;

  readonly fetch: typeof fetch = async (input, init) => {
    const path = new URL(String(input)).pathname;
    await this.before(path);
    if (path.endsWith('/sendMessage')) this.sends += 1;
    const answer = await fetch(input, init);
    await this.after(path);
    return answer;
  };

  /** Loses the next answers of a method. */
  lose(method: string, times: number): void {
    let left = times;
    this.after = (path) => {
      if (path.endsWith(`/${method}`) && left-- > 0) throw new TypeError('the answer was lost');
    };
  }

  down(): void {
    this.before = () => {
      throw new TypeError('no connection');
    };
  }

  up(): void {
    this.before = () => {};
  }
}

for (const database of databases) {
  describe(`the outbox on ${database}`, () => {
    let server: TestServer;
    let open: Client[] = [];
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());
    afterEach(async () => {
      for (const client of open) await client.close();
      open = [];
    });

    async function clientOn(store: ClientStore, network = new Network(), clock = systemPorts.clock): Promise<Client> {
      const client = createClient({ url: server.url, store, fetch: network.fetch, timers: hurriedTimers(50), clock });
      open.push(client);
      await client.open();
      return client;
    }

    async function storeOf(user: TestUser, store = memoryStore()): Promise<ClientStore> {
      const { session } = await user.session();
      await store.session.save(session);
      return store;
    }

    /** Two people with keys, so that what they send is sealed. */
    async function pair() {
      const [ann, ben] = [await server.user('ann'), await server.user('ben')];
      const bens = await clientOn(await storeOf(ben));
      await bens.synced();
      return { ann, ben, bens, store: await storeOf(ann) };
    }

    const textsOf = async (client: Client, chatMid: string): Promise<(string | undefined)[]> => {
      await client.synced();
      const messages = await client.replica.messages(chatMid, { limit: 100 });
      return messages.map(({ text }) => text).reverse();
    };

    test('a message is sealed by the rule of the chat, and the result says so', async () => {
      const { ann, bens, store } = await pair();
      const client = await clientOn(store);
      const { message, sealed } = await client.messaging.sendText(bens.session?.mid ?? '', 'hello');
      assert.equal(sealed, true);
      assert.equal(message.text, 'hello');
      assert.deepEqual(await textsOf(bens, ann.mid), ['hello']);
      const plain = await client.messaging
        .sendText(bens.session?.mid ?? '', 'open', { mode: 'plain' })
        .catch((error) => error);
      assert.ok(plain instanceof SendFailed && plain.reason === 'must-be-sealed');
    });

    test('a message whose answer is lost arrives once', async () => {
      const { ann, ben, bens, store } = await pair();
      const network = new Network();
      const client = await clientOn(store, network);
      await client.synced();
      network.lose('sendMessage', 2);
      await client.messaging.sendText(ben.mid, 'once');
      assert.deepEqual(client.outbox.all(), []);
      assert.deepEqual(await textsOf(bens, ann.mid), ['once']);
      assert.deepEqual(await textsOf(client, ben.mid), ['once']);
    });

    test('messages queued without a connection survive the program, and are sent in order', async () => {
      const { ann, ben, bens, store } = await pair();
      const network = new Network();
      network.down();
      const offline = await clientOn(store, network);
      const texts = ['one', 'two', 'three', 'four'];
      for (const text of texts) await offline.messaging.queueText(ben.mid, text);
      assert.deepEqual(
        offline.outbox.all().map(({ content, state }) => [content.text, state]),
        texts.map((text) => [text, 'queued']),
      );
      await offline.close();
      const online = await clientOn(store);
      await until(() => online.outbox.all().length === 0, 'the outbox is empty');
      assert.deepEqual(await textsOf(bens, ann.mid), texts);
    });

    test('a refused message is marked, the next ones pass, and it can be tried again or removed', async () => {
      const { ann, ben, bens, store } = await pair();
      const client = await clientOn(store);
      const group = await client.rpc.TalkService.createChat({
        reqSeq: 9,
        type: 1,
        name: '',
        targetUserMids: [ben.mid],
      });
      const { chatMid } = group.chat;
      await client.rpc.TalkService.deleteSelfFromChat({ reqSeq: 10, chatMid });
      const refused = await client.messaging.queueText(chatMid, 'nobody hears this');
      const failure = await client.outbox.sent(refused).catch((error) => error);
      assert.ok(failure instanceof SendFailed, String(failure));
      assert.deepEqual(
        client.outbox.all().map(({ localId, state, failure: note }) => [localId, state, note?.reason]),
        [[refused, 'failed', failure.reason]],
      );
      await client.messaging.sendText(ben.mid, 'but this');
      assert.deepEqual(await textsOf(bens, ann.mid), ['but this']);
      assert.equal(await client.outbox.retry(refused), true);
      await until(() => client.outbox.all()[0]?.state === 'failed', 'the message is refused again');
      assert.equal(await client.outbox.cancel(refused), true);
      assert.deepEqual(client.outbox.all(), []);
      assert.equal(await client.outbox.retry(refused), false);
    });

    test('a message that is cancelled before its first attempt never leaves', async () => {
      const { ann, ben, bens, store } = await pair();
      const network = new Network();
      network.down();
      const client = await clientOn(store, network);
      const first = await client.messaging.queueText(ben.mid, 'cancelled');
      const second = await client.messaging.queueText(ben.mid, 'sent');
      assert.equal(await client.outbox.cancel(first), true);
      network.up();
      client.outbox.wake();
      await client.outbox.sent(second);
      assert.deepEqual(await textsOf(bens, ann.mid), ['sent']);
    });

    test('a message that is taken back while its outcome is open is unsent when its id is known', async () => {
      const { ann, ben, bens, store } = await pair();
      const network = new Network();
      const client = await clientOn(store, network);
      await client.synced();
      let localId = '';
      network.before = async (path) => {
        if (path.endsWith('/sendMessage')) assert.equal(await client.outbox.cancel(localId), true);
      };
      localId = await client.messaging.queueText(ben.mid, 'a mistake');
      await until(() => client.outbox.all().length === 0, 'the outbox is empty');
      const unsent = async () => (await bens.replica.messages(ann.mid))[0]?.contentMetadata.UNSENT === 'true';
      await until(unsent, 'the message is unsent');
      assert.deepEqual(await textsOf(bens, ann.mid), [undefined]);
    });

    test('after a new login, the log tells whether a message arrived', async () => {
      const { ann, ben, bens, store } = await pair();
      for (const arrived of [true, false]) {
        const network = new Network();
        const client = await clientOn(store, network);
        await client.synced();
        const lost = (path: string): void => {
          if (path.endsWith('/sendMessage')) throw new TypeError(arrived ? 'the answer was lost' : 'no connection');
          if (path.endsWith('/receive')) throw new TypeError('no stream');
        };
        const stop = new Promise<void>((resolve) => {
          const hook = (path: string): void => {
            if (path.endsWith('/sendMessage')) resolve();
            lost(path);
          };
          if (arrived) network.after = hook;
          else network.before = hook;
        });
        await client.messaging.queueText(ben.mid, `arrived: ${arrived}`);
        await stop;
        await client.close();
        const [row] = await again(store, ann);
        assert.equal(row, undefined);
      }
      assert.deepEqual(await textsOf(bens, ann.mid), ['arrived: true', 'arrived: false']);
    });

    /** Opens a new session of the user on the store, and lets it send what waits. */
    async function again(store: ClientStore, user: TestUser) {
      await storeOf(user, store);
      // So much later that no request of the first session can still be on its way.
      const later = { ...systemPorts.clock, now: () => systemPorts.clock.now() + 120_000 };
      const client = await clientOn(store, new Network(), later);
      await until(() => client.outbox.all().length === 0, 'the outbox is empty');
      const left = client.outbox.all();
      await client.close();
      return left;
    }

    test('after the key of the receiver changed, the message is sealed anew', async () => {
      const { ann, ben, bens, store } = await pair();
      const client = await clientOn(store);
      await client.messaging.sendText(ben.mid, 'first key');
      await bens.sealing.renewOwnKey();
      const { sealed } = await client.messaging.sendText(ben.mid, 'second key');
      assert.equal(sealed, true);
      assert.deepEqual(await textsOf(bens, ann.mid), ['first key', 'second key']);
    });

    test('when the store fails, the message stays, and arrives once', async () => {
      const { ann, ben, bens, store } = await pair();
      let full = false;
      const broken: ClientStore = {
        ...store,
        state: {
          ...store.state,
          async open(account) {
            const rows = await store.state.open(account);
            return {
              ...rows,
              commit: async (writes) => (full ? Promise.reject(new Error('disk full')) : rows.commit(writes)),
            };
          },
        },
      };
      const network = new Network();
      const client = await clientOn(broken, network);
      await client.synced();
      network.before = (path) => {
        if (path.endsWith('/sendMessage')) full = true;
      };
      await client.messaging.queueText(ben.mid, 'once');
      await until(async () => (await textsOf(bens, ann.mid)).length === 1, 'the message arrived');
      assert.equal(client.outbox.all().length, 1);
      network.up();
      full = false;
      client.outbox.wake();
      await until(() => client.outbox.all().length === 0, 'the outbox is empty');
      assert.deepEqual(await textsOf(bens, ann.mid), ['once']);
    });

    test('a second message of the same cause is not queued', async () => {
      const { ann, ben, bens, store } = await pair();
      const client = await clientOn(store);
      const first = await client.messaging.queueText(ben.mid, 'answer', { cause: 'question 1' });
      const second = await client.messaging.queueText(ben.mid, 'answer', { cause: 'question 1' });
      assert.equal(second, first);
      await until(() => client.outbox.all().length === 0, 'the outbox is empty');
      assert.equal(await client.messaging.queueText(ben.mid, 'answer', { cause: 'question 1' }), first);
      assert.deepEqual(await textsOf(bens, ann.mid), ['answer']);
    });
  });
}
