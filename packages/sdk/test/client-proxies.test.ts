// The client behind connections that are cut, slow or silent, and behind a proxy that answers wrongly: what is sent
// arrives once and in order, and the replica ends in the state that a fresh client reads.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Message, type Operation, operationTypes, settingsAttributes } from '@sealpost/contract';
import type { Timers } from '@sealpost/contract/ports';
import { seed } from '@sealpost/dev-env/chance';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { hurriedTimers } from '@sealpost/dev-env/hurried-timers';
import { cuttingProxy } from '@sealpost/dev-env/proxies/cutting';
import { type Answer, type Exchange, type Fault, startFaultyGateway } from '@sealpost/dev-env/proxies/faulty-gateway';
import { startLyingProxy } from '@sealpost/dev-env/proxies/lying';
import { until } from '@sealpost/dev-env/until';
import { createRandom, type Random } from '@sealpost/dev-env/workload/random';
import { type Client, type ClientStore, createClient, memoryStore, systemPorts } from '@sealpost/sdk';
import { folderStore } from '@sealpost/sdk/node';
import { shown } from './replica-shown.ts';

const MESSAGES = 40;
const MOST_MESSAGES = 400;
const FILE_BYTES = 5000;

/** A proxy in front of the server of a test. */
interface Proxy {
  readonly url: string;
  close(): Promise<void>;
}

for (const database of databases) {
  describe(`the client behind bad proxies, on ${database}`, () => {
    let server: TestServer;
    let ending: (() => Promise<void>)[] = [];
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());
    afterEach(async () => {
      for (const end of ending.reverse()) await end();
      ending = [];
    });

    async function clientOf(
      user: TestUser,
      url: string,
      store: ClientStore = memoryStore(),
      timers = hurriedTimers(50),
    ) {
      await store.session.save((await user.session()).session);
      const client = createClient({ url, store, timers });
      ending.push(() => client.close());
      await client.open();
      return client;
    }

    function proxied<P extends Proxy>(proxy: P): P {
      ending.push(() => proxy.close());
      return proxy;
    }

    function folder(): ClientStore {
      const path = mkdtempSync(join(tmpdir(), 'sealpost-proxies-'));
      ending.push(async () => rmSync(path, { recursive: true }));
      return folderStore(path);
    }

    /** Waits until both have sent everything, and compares what each has with what was written and what the server has. */
    async function settle(people: readonly { user: TestUser; client: Client }[], wanted: readonly number[]) {
      for (const { client } of people) {
        await until(() => client.outbox.all().length === 0, `the outbox of ${client.session?.mid} is empty`);
      }
      for (const [index, { user, client }] of people.entries()) {
        await client.synced();
        const other = people[1 - index]?.user.mid ?? '';
        const fresh = await clientOf(user, server.url, memoryStore());
        await fresh.synced();
        assert.deepEqual(await shown(client), await shown(fresh));
        const own: number[] = [];
        for await (const message of client.messaging.history(other)) {
          if (message.from === user.mid) own.unshift(numberOf(message));
        }
        assert.deepEqual(own, wanted);
      }
    }

    test('messages and files arrive once and in order over connections that are cut at random bytes', async () => {
      const random = createRandom(seed);
      const people = [];
      for (const store of [memoryStore(), folder()]) {
        const user = await server.user('ann');
        const proxy = proxied(await cuttingProxy(server.url));
        people.push({ user, proxy, client: await clientOf(user, proxy.url, store) });
      }
      for (const { client } of people)
        await until(() => client.replica.revision !== undefined, 'the first state is read');
      for (let number = 0; number < MESSAGES; number++) {
        for (const [index, { client, proxy }] of people.entries()) {
          await queue(client, people[1 - index]?.user.mid ?? '', number, random);
          if (random.oneIn(2)) proxy.cutAfter(random.pick(['requests', 'answers']), random.below(3000));
          if (!random.oneIn(8)) continue;
          proxy.down(true);
          await pause(random.below(20));
          proxy.down(false);
        }
        await pause(random.below(20));
      }
      for (const { proxy } of people) assert.ok(proxy.cuts > 0);
      for (const { proxy } of people) proxy.cutAfter('answers', Number.POSITIVE_INFINITY);
      for (const { proxy } of people) proxy.cutAfter('requests', Number.POSITIVE_INFINITY);
      await settle(people, numbers(MESSAGES));
    });

    test('wrong answers and a stream with missing, doubled and exchanged operations lead to the right state', async () => {
      const random = createRandom(seed + 1);
      const people = [];
      for (const store of [memoryStore(), folder()]) {
        const user = await server.user('ann');
        const mistakes = new Mistakes(random);
        const proxy = proxied(await startFaultyGateway(server.url, mistakes));
        people.push({ user, mistakes, client: await clientOf(user, proxy.url, store, shortTimers(20)) });
      }
      for (const { client } of people)
        await until(() => client.replica.revision !== undefined, 'the first state is read');
      for (const { mistakes } of people) mistakes.begin();
      // Which mistakes are made depends on how requests and operations meet, so it goes on until all were made.
      let sent = 0;
      for (; sent < MESSAGES || (unmade(people).length > 0 && sent < MOST_MESSAGES); sent++) {
        for (const [index, { client, user }] of people.entries()) {
          await queue(client, people[1 - index]?.user.mid ?? '', sent, random);
          // The client reads the changed profile again.
          await user.client.TalkService.updateProfileAttributes(user.client.nextReqSeq(), {
            profileAttributes: { 2: { value: `name ${sent}` } },
          });
        }
        await pause(random.below(20));
      }
      for (const { mistakes } of people) mistakes.end();
      assert.deepEqual(unmade(people), []);
      await settle(people, numbers(sent));
    });

    test('answers that are slow and overtake each other lead to the right state', async () => {
      const random = createRandom(seed + 2);
      const late = async (answer: Answer): Promise<Answer> => {
        await pause(random.below(60));
        return answer;
      };
      const people = [];
      for (const store of [memoryStore(), folder()]) {
        const user = await server.user('ann');
        const proxy = proxied(await startFaultyGateway(server.url, { answer: late }));
        people.push({ user, client: await clientOf(user, proxy.url, store) });
      }
      for (let number = 0; number < MESSAGES / 2; number++) {
        for (const [index, { client, user }] of people.entries()) {
          const other = people[1 - index]?.user.mid ?? '';
          await queue(client, other, number, random);
          const { TalkService, nextReqSeq } = user.client;
          await TalkService.updateSettingsAttributes2(nextReqSeq(), [settingsAttributes.NOTIFICATION_ENABLE], {
            notificationEnable: random.oneIn(2),
          });
          const [last] = client.replica.chats();
          if (last)
            await TalkService.setChatHiddenStatus({ reqSeq: nextReqSeq(), chatMid: last.mid, hidden: random.oneIn(2) });
        }
      }
      await settle(people, numbers(MESSAGES / 2));
    });

    test('an answer that stops in its middle is asked for again', async () => {
      const [ann, ben] = [await server.user('ann'), await server.user('ben')];
      const bens = await clientOf(ben, server.url);
      await bens.synced();
      const stalled = new Set<string>();
      const stalls = ({ path }: Exchange): boolean => {
        const once = !stalled.has(path) && /getProfile|getContactsV2|sendMessage|info\.obs/.test(path);
        if (once) stalled.add(path);
        return once;
      };
      const proxy = proxied(await startFaultyGateway(server.url, { stalls }));
      const anns = await clientOf(ann, proxy.url, memoryStore(), shortTimers(150));
      const { message } = await anns.messaging.sendText(ben.mid, 'once');
      assert.equal(message.text, 'once');
      await anns.synced();
      assert.equal(anns.replica.profile?.mid, ann.mid);
      assert.deepEqual(
        [...stalled]
          .map((path) => path.split('/').at(-1))
          .filter((name) => name !== 'getContactsV2')
          .sort(),
        ['getProfile', 'sendMessage'],
      );
      await bens.synced();
      assert.deepEqual(
        (await bens.replica.messages(ann.mid)).map(({ text }) => text),
        ['once'],
      );
    });

    test('what belongs to another account is not taken for its own', async () => {
      const [ann, ben, cid] = [await server.user('ann'), await server.user('ben'), await server.user('cid')];
      const proxy = proxied(await startLyingProxy(server.url));
      const theirs = await cid.client.sendText(ben.mid, 'between others');
      let lies = 0;
      const lie =
        <T>(data: T) =>
        (): T => {
          lies += 1;
          return data;
        };
      proxy.lie('TalkService.getProfile', lie(await ben.client.TalkService.getProfile()));
      const client = await clientOf(ann, proxy.url);
      await until(() => lies > 2, 'the profile was asked for again');
      assert.equal(client.replica.revision, undefined);
      proxy.beHonest();
      await client.synced();
      assert.equal(client.replica.profile?.mid, ann.mid);
      proxy.lie('TalkService.sendMessage', lie(theirs));
      lies = 0;
      const localId = await client.messaging.queueText(ben.mid, 'to Ben');
      await until(() => lies > 0 && client.outbox.all().length === 0, 'the message is found in the log');
      proxy.beHonest();
      await client.synced();
      const messages = await client.replica.messages(ben.mid);
      assert.deepEqual(
        messages.map(({ text }) => text),
        ['to Ben'],
      );
      assert.equal(messages[0]?.localId, localId);
      assert.equal(client.replica.chat(cid.mid), undefined);
    });

    test('an operation of another account is not applied, and the right one is not lost', async () => {
      const [ann, ben] = [await server.user('ann'), await server.user('ben')];
      const stranger = `u${'9'.repeat(32)}`;
      let lies = 0;
      const event = (text: string): string => {
        const operation = operationIn(text);
        if (operation?.type !== operationTypes.RECEIVE_MESSAGE || lies > 0) return text;
        lies += 1;
        const message = { ...(operation.message as Message), from: ben.mid, to: stranger, text: 'not for Ann' };
        return eventOf({ ...operation, message });
      };
      const proxy = proxied(await startFaultyGateway(server.url, { event }));
      const client = await clientOf(ann, proxy.url);
      await until(() => client.connection.state === 'online', 'the client is online');
      await ben.client.sendText(ann.mid, 'for Ann');
      await client.synced();
      assert.equal(lies, 1);
      assert.equal(client.replica.chat(stranger), undefined);
      assert.deepEqual(
        (await client.replica.messages(ben.mid)).map(({ text }) => text),
        ['for Ann'],
      );
      assert.equal(client.replica.chat(ben.mid)?.unread, 1);
    });

    test('a revision far ahead does not make the client deaf', async () => {
      const [ann, ben] = [await server.user('ann'), await server.user('ben')];
      let lies = 0;
      const event = (text: string): string => {
        const operation = operationIn(text);
        if (operation?.type !== operationTypes.RECEIVE_MESSAGE || lies > 0) return text;
        lies += 1;
        return eventOf({ ...operation, revision: '999999999' });
      };
      const proxy = proxied(await startFaultyGateway(server.url, { event }));
      const client = await clientOf(ann, proxy.url);
      await until(() => client.connection.state === 'online', 'the client is online');
      const texts = ['one', 'two', 'three'];
      for (const text of texts) await ben.client.sendText(ann.mid, text);
      await until(() => client.replica.chat(ben.mid)?.last?.text === 'three', 'the last message is there');
      await client.synced();
      assert.equal(lies, 1);
      const kept = await client.replica.messages(ben.mid);
      assert.deepEqual(kept.map(({ text }) => text).reverse(), texts);
      assert.equal(client.replica.chat(ben.mid)?.unread, 3);
    });
  });
}

/** Timers that shorten pauses and time limits alike. */
const shortTimers = (times: number): Timers => ({
  ...systemPorts.timers,
  after: (ms, run, options) => systemPorts.timers.after(options?.background ? ms : ms / times, run, options),
});

const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

/** Queues a text or, now and then, a file that says a number. */
async function queue(client: Client, to: string, number: number, random: Random): Promise<void> {
  if (!random.oneIn(8)) return void (await client.messaging.queueText(to, String(number)));
  const content = new Uint8Array(FILE_BYTES).fill(number);
  const bytes = { size: FILE_BYTES, stream: () => [content] };
  await client.messaging.queueFile(to, { kind: 'file', name: String(number), bytes });
}

const numberOf = ({ text, contentMetadata }: Pick<Message, 'text' | 'contentMetadata'>): number =>
  Number(text ?? contentMetadata.FILE_NAME);

/** Returns the operation of an event of the stream; undefined for other events. */
function operationIn(event: string): Operation | undefined {
  const data = /^data: ?(\{.*"revision".*\})$/m.exec(event)?.[1];
  return data === undefined || /^event:/m.test(event) ? undefined : (JSON.parse(data) as Operation);
}

const eventOf = (operation: Operation): string => `data: ${JSON.stringify(operation)}\n\n`;

const OF_ANSWERS = ['page', 'half', 'nothing', 'null', 'broken', 'busy'] as const;
const OF_STREAM = ['doubled', 'exchanged', 'missing', 'torn'] as const;
type Mistake = (typeof OF_ANSWERS)[number] | (typeof OF_STREAM)[number];

/** Returns the mistakes that were never made. */
const unmade = (people: readonly { mistakes: Mistakes }[]): Mistake[] =>
  [...OF_ANSWERS, ...OF_STREAM].filter((mistake) => !people.some(({ mistakes }) => mistakes.made.has(mistake)));

/** Answers whose absence of data cannot be told from a true answer are left alone: of keys, and of what is optional. */
const TRUE_WITHOUT_DATA = /E2EE|getSettings|[kK]ey/;

/** Makes random mistakes in answers and in the stream, and counts them. */
class Mistakes implements Fault {
  readonly #random: Random;
  readonly made = new Set<Mistake>();
  #making = false;
  #held = '';

  constructor(random: Random) {
    this.#random = random;
  }

  begin(): void {
    this.#making = true;
  }

  end(): void {
    this.#making = false;
  }

  readonly answer = (answer: Answer, { path }: Exchange): Answer => {
    if (!this.#making || !this.#random.oneIn(8)) return answer;
    const mistake = this.#random.pick(OF_ANSWERS);
    if (mistake === 'null' && TRUE_WITHOUT_DATA.test(path)) return answer;
    this.made.add(mistake);
    switch (mistake) {
      case 'page':
        return { status: 200, text: '<html>Welcome to our network. Please accept the terms.</html>' };
      case 'half':
        return { ...answer, text: answer.text.slice(0, answer.text.length / 2) };
      case 'nothing':
        return { status: 200, text: '' };
      case 'null':
        return { status: 200, text: '{"code":0,"message":"OK","data":null}' };
      case 'broken':
        return { status: 502, text: '<html>Bad Gateway</html>' };
      default:
        return { status: 503, text: '{"message":"busy"}' };
    }
  };

  readonly event = (text: string): string => {
    const held = this.#held;
    this.#held = '';
    const operation = operationIn(text);
    if (!operation || !this.#making || !this.#random.oneIn(3)) return text + held;
    const mistake = this.#random.pick(OF_STREAM);
    this.made.add(mistake);
    switch (mistake) {
      case 'doubled':
        return text + held + text;
      case 'exchanged':
        this.#held = text;
        return held;
      case 'missing':
        return held;
      default:
        return `data: ${JSON.stringify(operation).slice(0, 20)}\n\n${held}`;
    }
  };
}
