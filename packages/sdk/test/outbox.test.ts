// The outbox: what was queued arrives once and in order, whatever happens to connection, session and program.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { contentTypes, errors, messageRelationTypes } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { hurriedTimers } from '@sealpost/dev-env/hurried-timers';
import { until } from '@sealpost/dev-env/until';
import {
  type Client,
  type ClientStore,
  createClient,
  MediaError,
  memoryStore,
  type SealableMessage,
  SendFailed,
  systemPorts,
} from '@sealpost/sdk';
import { loseTheLog } from './lost-log.ts';
import { changed, recordedFetch } from './recorded-fetch.ts';

/** A network that a test can break. */
class Network {
  /** Called before each request; may throw. */
  before: (path: string) => void | Promise<void> = () => {};
  /** Called when an answer is there, which is lost if this throws. */
  after: (path: string) => void | Promise<void> = () => {};
  /** Requests whose path matches get no answer until they are aborted. */
  silent: RegExp | undefined;
  sends = 0;

  readonly fetch: typeof fetch = async (input, init) => {
    const path = new URL(String(input)).pathname;
    await this.before(path);
    if (path.endsWith('/sendMessage')) this.sends += 1;
    if (this.silent?.test(path)) return aborted(init?.signal);
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

const aborted = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason));
  });

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

    /** So much later that no earlier request can still be on its way. */
    const later = { ...systemPorts.clock, now: () => systemPorts.clock.now() + 120_000 };

    const emptied = ({ outbox }: Client) => until(() => outbox.all().length === 0, 'the outbox is empty');

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
      const again = await client.outbox.sent(refused).catch((error) => error);
      assert.ok(again instanceof SendFailed && again.reason === failure.reason, 'it is still known');
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

    test('a message that must be sealed and cannot be is sent in the clear when the user asks for that', async () => {
      // Ben has no key yet, so nothing can be sealed for him.
      const [ann, ben] = [await server.user('ann'), await server.user('ben')];
      const client = await clientOn(await storeOf(ann));
      const localId = await client.messaging.queueText(ben.mid, 'in the clear, then', { mode: 'sealed' });
      await until(() => client.outbox.all()[0]?.state === 'failed', 'the message is refused');
      assert.equal(client.outbox.all()[0]?.failure?.reason, 'must-be-plain');
      assert.equal(await client.outbox.retry(localId, 'plain'), true);
      await client.outbox.sent(localId);
      assert.deepEqual(await textsOf(await clientOn(await storeOf(ben)), ann.mid), ['in the clear, then']);
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
      await emptied(client);
      const unsent = async () => (await bens.replica.messages(ann.mid))[0]?.contentMetadata.UNSENT === 'true';
      await until(unsent, 'the message is unsent');
      assert.deepEqual(await textsOf(bens, ann.mid), [undefined]);
    });

    for (const lost of ['answer', 'request'] as const) {
      test(`a message that is taken back after its ${lost} was lost is not sent again, and holds up no other`, async () => {
        const { ann, ben, bens, store } = await pair();
        const network = new Network();
        const client = await clientOn(store, network);
        await client.synced();
        const tried = Promise.withResolvers<void>();
        network[lost === 'answer' ? 'after' : 'before'] = (path) => {
          if (!path.endsWith('/sendMessage')) return;
          tried.resolve();
          throw new TypeError('no connection');
        };
        // Without the stream, the log does not show at once that the message arrived.
        if (lost === 'answer') network.silent = /receive$/;
        const localId = await client.messaging.queueText(ben.mid, 'a mistake');
        await tried.promise;
        assert.equal(await client.outbox.cancel(localId), true);
        Object.assign(network, { sends: 0, before: () => {}, after: () => {}, silent: undefined });
        await client.messaging.sendText(ben.mid, 'the next');
        assert.equal(network.sends, 1);
        if (lost === 'request') await client.synced();
        assert.deepEqual(
          client.outbox.all().map((row) => row.localId),
          [localId],
        );
        await client.close();
        await emptied(await clientOn(store, network, later));
        assert.equal(network.sends, 1);
        const expected = lost === 'answer' ? [undefined, 'the next'] : ['the next'];
        await until(
          async () => JSON.stringify(await textsOf(bens, ann.mid)) === JSON.stringify(expected),
          `Ben has ${JSON.stringify(expected)}`,
        );
      });
    }

    const alike = {
      card: ['1', '2'].map((digit) => ({
        contentType: contentTypes.CONTACT,
        contentMetadata: { mid: `u${digit.repeat(32)}`, displayName: 'Cem' },
      })),
      place: [59.3, 53.5].map((latitude) => ({
        contentType: contentTypes.LOCATION,
        location: { title: 'here', latitude, longitude: 18, accuracy: { horizontal: 4 } },
      })),
    };
    for (const [kind, [mistake, meant]] of Object.entries(alike)) {
      test(`a ${kind} that was taken back is not mistaken for another one`, async () => {
        // Ben has no key, so only the content tells the messages apart.
        const [ann, ben] = [await server.user('ann'), await server.user('ben')];
        const store = await storeOf(ann);
        const network = new Network();
        const client = await clientOn(store, network);
        await client.synced();
        const tried = Promise.withResolvers<void>();
        network.before = (path) => {
          if (!path.endsWith('/sendMessage')) return;
          tried.resolve();
          throw new TypeError('no connection');
        };
        const localId = await client.messaging.queue({ to: ben.mid, ...mistake });
        await tried.promise;
        assert.equal(await client.outbox.cancel(localId), true);
        network.up();
        await client.messaging.send({ to: ben.mid, ...meant });
        await client.close();
        await emptied(await clientOn(store, network, later));
        const [left, ...others] = await ben.client.TalkService.getRecentMessagesV2(ann.mid, 5);
        assert.deepEqual([left?.contentMetadata.UNSENT, others], [undefined, []]);
      });
    }

    for (const kind of ['card', 'place'] as const) {
      test(`a ${kind} whose answer was lost is found in the history`, async () => {
        const [ann, ben] = [await server.user('ann'), await server.user('ben')];
        const store = await storeOf(ann);
        await unknown(store, { to: ben.mid, ...alike[kind][0] }, 'answer');
        await loseTheLog(ann, store);
        assert.deepEqual(await again(store, ann), []);
        assert.equal((await ben.client.TalkService.getRecentMessagesV2(ann.mid, 5)).length, 1);
      });
    }

    test('a message whose answer was lost, and that another device unsent, is not sent again', async () => {
      const { ann, ben, bens, store } = await pair();
      await unknown(store, { to: ben.mid, text: 'gone' }, 'answer');
      const [sent] = await ben.client.TalkService.getRecentMessagesV2(ann.mid, 5);
      await ann.client.TalkService.unsendMessage(ann.client.nextReqSeq(), sent?.id ?? '');
      assert.deepEqual(await again(store, ann), []);
      assert.deepEqual(await textsOf(bens, ann.mid), [undefined]);
    });

    test('nothing is sent until the time that the server asked for is over, however often the outbox is woken', async () => {
      const { ann, ben, bens, store } = await pair();
      const held: (() => void)[] = [];
      const hurried = hurriedTimers(50);
      const timers: typeof hurried = {
        ...hurried,
        after(ms, run, options) {
          if (ms !== 7000) return hurried.after(ms, run, options);
          held.push(run);
          return { cancel: () => {} };
        },
      };
      let refusals = 1;
      const { fetch, to } = recordedFetch(({ path }) => {
        if (!path.endsWith('/sendMessage') || refusals-- <= 0) return undefined;
        const data = { name: 'TalkException', code: errors.EXCESSIVE_ACCESS.code, reason: 'too many' };
        const answer = { code: 10051, message: 'RESPONSE_ERROR', data };
        return Promise.resolve(Response.json(answer, { status: 400, headers: { 'Retry-After': '7' } }));
      });
      const client = createClient({ url: server.url, store, fetch, timers });
      open.push(client);
      await client.open();
      await client.synced();
      const texts = ['one', 'two'];
      for (const text of texts) await client.messaging.queueText(ben.mid, text);
      await until(() => held.length > 0, 'the messages wait');
      for (let count = 0; count < 3; count++) {
        client.outbox.wake();
        await client.synced();
      }
      assert.equal(to('/sendMessage').length, 1);
      for (const run of held) run();
      await emptied(client);
      assert.deepEqual(await textsOf(bens, ann.mid), texts);
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
      const client = await clientOn(store, new Network(), later);
      await emptied(client);
      const left = client.outbox.all();
      await client.close();
      return left;
    }

    /** Queues a message whose outcome stays open, because the answer or the request is lost and there is no stream. */
    async function unknown(store: ClientStore, message: SealableMessage, lost: 'answer' | 'request') {
      const network = new Network();
      const client = await clientOn(store, network);
      await client.synced();
      const tried = Promise.withResolvers<void>();
      const hook = (path: string): void => {
        if (path.endsWith('/sendMessage')) tried.resolve();
        if (/sendMessage$|receive$/.test(path)) throw new TypeError('no connection');
      };
      if (lost === 'answer') network.after = hook;
      else network.before = hook;
      await client.messaging.queue(message);
      await tried.promise;
      await client.close();
    }

    for (const lost of ['answer', 'request'] as const) {
      test(`after a new login, the history tells what the log no longer can: the ${lost} was lost`, async () => {
        const [ann, ben] = [await server.user('ann'), await server.user('ben')];
        const store = await storeOf(ann);
        const first = await clientOn(store);
        // Ben has no key, so nothing but its place tells this message from the next one.
        const { sealed } = await first.messaging.sendText(ben.mid, 'the same');
        assert.equal(sealed, false);
        await first.close();
        await unknown(store, { to: ben.mid, text: 'the same' }, lost);
        // So many that the message is not on the first page of the history.
        for (let count = 0; count < 101; count++) await ben.client.sendText(ann.mid, `newer ${count}`);
        await loseTheLog(ann, store);
        assert.deepEqual(await again(store, ann), []);
        const recent = await ben.client.TalkService.getRecentMessagesV2(ann.mid, 200);
        assert.equal(recent.filter(({ text }) => text === 'the same').length, 2);
      });
    }

    test('a message whose outcome is open fails if its chat can no longer be read', async () => {
      const { ann, ben, store } = await pair();
      const { TalkService, nextReqSeq } = ben.client;
      const targetUserMids = [ann.mid];
      const { chatMid } = (await TalkService.createChat({ reqSeq: nextReqSeq(), type: 1, name: '', targetUserMids }))
        .chat;
      await unknown(store, { to: chatMid, text: 'too late' }, 'request');
      await ann.client.TalkService.deleteSelfFromChat({ reqSeq: ann.client.nextReqSeq(), chatMid });
      await storeOf(ann, store);
      const later = { ...systemPorts.clock, now: () => systemPorts.clock.now() + 120_000 };
      const client = await clientOn(store, new Network(), later);
      await until(() => client.outbox.all()[0]?.state === 'failed', 'the message is marked as failed');
      await client.messaging.sendText(ben.mid, 'another chat goes on');
    });

    test('closing ends a request without an answer, and what waits is sent after the next opening', async () => {
      const { ann, ben, bens, store } = await pair();
      const network = new Network();
      const client = await clientOn(store, network);
      await client.synced();
      network.silent = /sendMessage$|getLastOpRevision$/;
      const localId = await client.messaging.queueText(ben.mid, 'later');
      const sent = client.outbox.sent(localId);
      await until(() => network.sends === 1, 'the message is being sent');
      const synced = client.synced();
      await client.close();
      await assert.rejects(synced);
      const next = await clientOn(store);
      assert.equal(
        await Promise.race([
          sent,
          next.outbox
            .sent(localId)
            .catch(() => undefined)
            .then(() => 'next'),
        ]),
        'next',
      );
      assert.deepEqual(await textsOf(bens, ann.mid), ['later']);
    });

    test('who waits for a message is told when the session ends, and a new login sends it', async () => {
      const [ann, ben, cid] = [await server.user('ann'), await server.user('ben'), await server.user('cid')];
      const network = new Network();
      network.silent = /sendMessage$/;
      const client = await clientOn(await storeOf(ann), network);
      await until(() => client.connection.state === 'online', 'the client is online');
      const refused = { name: 'SendFailed', reason: 'logged_out' };
      const waiting = assert.rejects(client.messaging.sendText(ben.mid, 'one'), refused);
      await until(() => network.sends > 0, 'the message is on its way');
      await ann.client.devices.revokeOthers();
      await waiting;
      await assert.rejects(client.messaging.sendText(cid.mid, 'two'), refused);
      assert.deepEqual(
        client.outbox.all().map(({ content, state }) => [content.text, state]),
        [
          ['one', 'sending'],
          ['two', 'queued'],
        ],
      );
      network.silent = undefined;
      const [, second] = client.outbox.all();
      await client.login({ identifier: ann.userid, password: ann.password });
      await client.outbox.sent(second?.localId ?? '');
      assert.equal(client.outbox.all().length, 1);
    });

    test('closing ends the wait for a log that does not come', async () => {
      const [ann, ben] = [await server.user('ann'), await server.user('ben')];
      const store = await storeOf(ann);
      const network = new Network();
      network.silent = /receive$/;
      const client = await clientOn(store, network);
      await until(() => client.replica.revision !== undefined, 'the first state is read');
      await ben.client.sendText(ann.mid, 'unheard');
      const synced = client.synced();
      await Promise.race([synced, new Promise((resolve) => setTimeout(resolve, 50))]);
      await client.close();
      await assert.rejects(synced, /closed/);
      // The store is free again.
      await clientOn(store);
    });

    for (const sealed of [true, false]) {
      test(`a ${sealed ? 'sealed' : 'plain'} file that is cancelled on its way leaves nothing behind`, async () => {
        const [ann, ben] = [await server.user('ann'), await server.user('ben')];
        if (sealed) await (await clientOn(await storeOf(ben))).sealing.ownKey();
        const network = new Network();
        const store = await storeOf(ann);
        const client = await clientOn(store, network);
        await client.synced();
        const uploading = Promise.withResolvers<void>();
        network.silent = /\/r\/(talk\/(m|emf))\//;
        network.before = (path) => {
          if (network.silent?.test(path)) uploading.resolve();
        };
        const media = { kind: 'file', name: 'a.txt', bytes: new Blob(['a mistake']) } as const;
        const localId = await client.messaging.queueFile(ben.mid, media);
        await uploading.promise;
        assert.equal(await client.outbox.cancel(localId), true);
        await emptied(client);
        const stored = await ben.client.TalkService.getRecentMessagesV2(ann.mid, 5);
        assert.deepEqual(
          stored.map(({ contentMetadata }) => contentMetadata.UNSENT),
          sealed ? [] : ['true'],
        );
        network.silent = undefined;
        assert.equal((await client.messaging.sendText(ben.mid, 'the next')).message.text, 'the next');
        await client.close();
        const rows = await store.state.open(ann.mid);
        for (const table of ['upload', 'file-']) assert.deepEqual(await rows.range(table, `${table}\uffff`), []);
        await rows.close();
      });
    }

    test('a sealed file that failed and is cancelled leaves no key behind', async () => {
      const { ann, ben, bens, store } = await pair();
      const network = new Network();
      const client = await clientOn(store, network);
      for (const one of [client, bens]) await one.sealing.ownKey();
      const { digits } = await client.trust.contact(ben.mid);
      assert.ok(await client.trust.verify(ben.mid, digits));
      // Between the object and its message, Ben gets another key, which nobody has compared.
      network.after = async (path) => {
        if (!path.startsWith('/r/talk/emf/')) return;
        network.after = () => {};
        await bens.sealing.renewOwnKey();
      };
      const media = { kind: 'file', name: 'a.txt', bytes: new Blob(['never sent']) } as const;
      const localId = await client.messaging.queueFile(ben.mid, media);
      const failure = await client.outbox.sent(localId).catch((error) => error);
      assert.ok(failure instanceof SendFailed && failure.reason === 'verified-changed', String(failure));
      assert.equal(await client.outbox.cancel(localId), true);
      await client.close();
      const rows = await store.state.open(ann.mid);
      for (const table of ['upload', 'file-']) assert.deepEqual(await rows.range(table, `${table}\uffff`), []);
      await rows.close();
    });

    for (const sealed of [true, false]) {
      test(`a ${sealed ? 'sealed' : 'plain'} file can answer a message`, async () => {
        const [ann, ben] = [await server.user('ann'), await server.user('ben')];
        if (sealed) await (await clientOn(await storeOf(ben))).sealing.ownKey();
        const client = await clientOn(await storeOf(ann));
        const question = await client.messaging.sendText(ben.mid, 'a question');
        assert.equal(question.sealed, sealed);
        const media = { kind: 'file', name: 'a.txt', bytes: new Blob(['an answer']) } as const;
        const answer = await client.messaging.sendFile(ben.mid, media, { replyTo: question.message.id });
        assert.equal(answer.sealed, sealed);
        const [stored] = await ben.client.TalkService.getRecentMessagesV2(ann.mid, 1);
        assert.equal(stored?.id, answer.message.id);
        assert.equal(stored?.relatedMessageId, question.message.id);
        assert.equal(stored?.messageRelationType, messageRelationTypes.REPLY);
      });
    }

    test('a file whose chat became sealed while nobody told is sent sealed', async () => {
      const [ann, ben] = [await server.user('ann'), await server.user('ben')];
      const network = new Network();
      network.silent = /receive$/;
      const client = await clientOn(await storeOf(ann), network);
      assert.equal((await client.messaging.sendText(ben.mid, 'in the clear')).sealed, false);
      await (await clientOn(await storeOf(ben))).sealing.ownKey();
      const media = { kind: 'file', name: 'a.txt', bytes: new Blob(['a secret']) } as const;
      assert.equal((await client.messaging.sendFile(ben.mid, media)).sealed, true);
      assert.deepEqual(client.outbox.all(), []);
    });

    for (const sealed of [true, false]) {
      test(`a ${sealed ? 'sealed' : 'plain'} file is sent once when the answer to its message is spoiled`, async () => {
        const [ann, ben] = [await server.user('ann'), await server.user('ben')];
        if (sealed) await (await clientOn(await storeOf(ben))).sealing.ownKey();
        let spoiled = 0;
        const { fetch } = recordedFetch(({ path }, ask) =>
          path.endsWith('/sendMessage') && spoiled++ < 2
            ? ask().then(() => new Response('<html>Welcome to our network.</html>'))
            : undefined,
        );
        const client = createClient({ url: server.url, store: await storeOf(ann), fetch, timers: hurriedTimers(50) });
        open.push(client);
        await client.open();
        const media = { kind: 'file', name: 'a.txt', bytes: new Blob(['once']) } as const;
        const sent = await client.messaging.sendFile(ben.mid, media);
        assert.equal(sent.sealed, sealed);
        const recent = await ben.client.TalkService.getRecentMessagesV2(ann.mid, 10);
        assert.deepEqual(
          recent.map(({ id }) => id),
          [sent.message.id],
        );
        assert.ok(spoiled > 0);
      });
    }

    /** Returns the keys of everything that the store keeps of files. */
    async function keptOf({ mid }: TestUser, store: ClientStore): Promise<string[]> {
      const rows = await store.state.open(mid);
      const found = await rows.range('file-', 'file-\uffff');
      await rows.close();
      return found.map(({ key }) => key);
    }

    test('a copy of a file without a message is deleted when the client opens again', async () => {
      const { ann, ben, store } = await pair();
      const client = await clientOn(store);
      const read = Promise.withResolvers<void>();
      async function* endless() {
        yield new Uint8Array(600_000);
        read.resolve();
        await new Promise(() => {});
      }
      const bytes = { size: 1_000_000, stream: endless };
      void client.messaging.queueFile(ben.mid, { kind: 'file', name: 'large', bytes });
      await read.promise;
      await client.close();
      assert.equal((await keptOf(ann, store)).filter((key) => key.startsWith('file-part/')).length, 2);
      const next = await clientOn(store);
      await next.close();
      assert.deepEqual(await keptOf(ann, store), []);
    });

    test('a file of another size than it said is not queued, and nothing of it stays', async () => {
      const { ann, ben, store } = await pair();
      const client = await clientOn(store);
      for (const size of [300_000, 900_000]) {
        const bytes = { size, stream: () => [new Uint8Array(600_000)] };
        const failure = await client.messaging
          .queueFile(ben.mid, { kind: 'file', name: 'grown', bytes })
          .catch((error) => error);
        assert.ok(failure instanceof MediaError && failure.reason === 'source-changed');
      }
      assert.deepEqual(client.outbox.all(), []);
      await client.close();
      assert.deepEqual(await keptOf(ann, store), []);
    });

    test('a history is asked for in pages of the size that the server tells', async () => {
      const [ann, ben] = [await server.user('ann'), await server.user('ben')];
      const limit = changed('getConfigurations', ({ configMap }: { configMap: Record<string, string> }) => ({
        configMap: { ...configMap, 'limit.sync.messages': '7' },
      }));
      const { fetch, to } = recordedFetch(limit);
      const client = createClient({ url: server.url, store: await storeOf(ann), fetch });
      open.push(client);
      await client.open();
      for (let count = 0; count < 20; count++) await ben.client.sendText(ann.mid, `text ${count}`);
      assert.equal((await client.sealing.history(ben.mid, 18)).length, 18);
      const counts = [
        ...to('/getRecentMessagesV2').map(({ body }) => (body as unknown[])[1]),
        ...to('/getPreviousMessagesV2WithRequest').map(
          ({ body }) => (body as { messagesCount: number }[])[0]?.messagesCount,
        ),
      ];
      assert.deepEqual(counts, [7, 7, 4]);
    });

    test('after the key of the receiver changed, the message is sealed anew', async () => {
      const { ann, ben, bens, store } = await pair();
      const client = await clientOn(store);
      await client.messaging.sendText(ben.mid, 'first key');
      await bens.sealing.renewOwnKey();
      const { sealed } = await client.messaging.sendText(ben.mid, 'second key');
      assert.equal(sealed, true);
      assert.deepEqual(await textsOf(bens, ann.mid), ['first key', 'second key']);
    });

    test('when the store fails after a message was unsent, it is unsent again later', async () => {
      const { ann, ben, bens, store } = await pair();
      let failures = 0;
      const open = async (account: string) => {
        const rows = await store.state.open(account);
        const commit: typeof rows.commit = async (writes) => {
          const forgets = writes.some(({ key, value }) => key.startsWith('taken-back/') && value === undefined);
          if (forgets && failures++ === 0) throw new Error('disk full');
          await rows.commit(writes);
        };
        return { ...rows, commit };
      };
      const network = new Network();
      const client = await clientOn({ ...store, state: { ...store.state, open } }, network);
      await client.synced();
      let unsends = 0;
      network.before = async (path) => {
        if (path.endsWith('/sendMessage')) await client.outbox.cancel(localId);
        if (path.endsWith('/unsendMessage')) unsends += 1;
      };
      const localId = await client.messaging.queueText(ben.mid, 'a mistake');
      await until(() => failures > 0, 'the message was unsent');
      client.outbox.wake();
      await until(() => unsends === 2 && failures === 2, 'the message was unsent again');
      assert.deepEqual(await textsOf(bens, ann.mid), [undefined]);
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
      await emptied(client);
      assert.deepEqual(await textsOf(bens, ann.mid), ['once']);
    });

    test('a second message of the same cause is not queued', async () => {
      const { ann, ben, bens, store } = await pair();
      const client = await clientOn(store);
      const first = await client.messaging.queueText(ben.mid, 'answer', { cause: 'question 1' });
      const second = await client.messaging.queueText(ben.mid, 'answer', { cause: 'question 1' });
      assert.equal(second, first);
      await emptied(client);
      assert.equal(await client.messaging.queueText(ben.mid, 'answer', { cause: 'question 1' }), first);
      assert.deepEqual(await textsOf(bens, ann.mid), ['answer']);
    });
  });
}
