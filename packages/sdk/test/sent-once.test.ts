// Messages whose answer is lost, and whose program then ends and continues much later.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { hurriedTimers } from '@sealpost/dev-env/hurried-timers';
import { until } from '@sealpost/dev-env/until';
import { type Client, type ClientStore, createClient, memoryStore, systemPorts } from '@sealpost/sdk';

const HOUR = 3_600_000;
/** Milliseconds for which the outbox waits until a request that may still be under way has ended. */
const UNDER_WAY_MS = 60_000;
const { after } = hurriedTimers(50);
const timers: typeof systemPorts.timers = {
  ...systemPorts.timers,
  after: (ms, run, options) => after(ms === UNDER_WAY_MS ? 1000 : ms, run, options),
};

/** A server and clients whose clocks the test moves. */
async function withServer(work: (place: Place) => Promise<void>): Promise<void> {
  const hours = { server: 0, client: 0 };
  const clock = { ...systemPorts.clock, now: () => Date.now() + hours.server * HOUR };
  const server = await startServer({ ports: { clock } });
  const clients: Client[] = [];
  const open = async (store: ClientStore, through: typeof fetch = fetch): Promise<Client> => {
    const client = createClient({
      ...{ url: server.url, store, fetch: through, timers },
      clock: { ...systemPorts.clock, now: () => Date.now() + hours.client * HOUR },
    });
    clients.push(client);
    await client.open();
    return client;
  };
  try {
    await work({ server, hours, open });
  } finally {
    for (const client of clients) await client.close();
    await server.close();
  }
}

interface Place {
  readonly server: TestServer;
  readonly hours: { server: number; client: number };
  open(store: ClientStore, through?: typeof fetch): Promise<Client>;
}

async function logIn(user: TestUser, store: ClientStore): Promise<void> {
  const { session } = await user.session();
  await store.session.save(session);
}

/** Queues a message that arrives. Its answer is lost, no operation is heard, and the program ends. */
async function interrupted({ open }: Place, store: ClientStore, queue: (client: Client) => Promise<unknown>) {
  const tried = Promise.withResolvers<void>();
  const client = await open(store, async (input, init) => {
    const { pathname } = new URL(String(input));
    if (pathname.endsWith('/receive')) throw new TypeError('no connection');
    const answer = await fetch(input, init);
    if (!pathname.endsWith('/sendMessage')) return answer;
    await answer.body?.cancel();
    tried.resolve();
    throw new TypeError('the answer was lost');
  });
  await queue(client);
  await tried.promise;
  await client.close();
}

const file = () => ({ kind: 'file', name: 'a.txt', bytes: new Blob(['only once']) }) as const;
const emptied = ({ outbox }: Client) => until(() => outbox.all().length === 0, 'the outbox is empty');
const received = (by: TestUser, from: TestUser) => by.client.TalkService.getRecentMessagesV2(from.mid, 200);

for (const later of ['an hour later', '25 hours later', 'after a new login'] as const) {
  test(`a plain file whose program continues ${later} is sent once`, () =>
    withServer(async (place) => {
      const { server, hours } = place;
      const [ann, ben] = [await server.user('ann'), await server.user('ben')];
      const store = memoryStore();
      await logIn(ann, store);
      await interrupted(place, store, ({ messaging }) => messaging.queueFile(ben.mid, file()));
      if (later === 'after a new login') await logIn(ann, store);
      else hours.server = hours.client = later === '25 hours later' ? 25 : 1;
      await emptied(await place.open(store));
      const files = (await received(ben, ann)).map(({ contentMetadata, hasContent }) => [
        contentMetadata.FILE_NAME,
        hasContent,
      ]);
      assert.deepEqual(files, [['a.txt', true]]);
    }));
}

test('a plain file that is taken back after a new login leaves nothing behind', () =>
  withServer(async (place) => {
    const { server } = place;
    const [ann, ben] = [await server.user('ann'), await server.user('ben')];
    const store = memoryStore();
    await logIn(ann, store);
    await interrupted(place, store, ({ messaging }) => messaging.queueFile(ben.mid, file()));
    await logIn(ann, store);
    const client = await place.open(store, async (input, init) => {
      if (String(input).includes('/r/talk/')) throw new TypeError('no connection');
      return fetch(input, init);
    });
    const [waiting] = client.outbox.all();
    assert.ok(waiting);
    await client.outbox.cancel(waiting.localId);
    await emptied(client);
    const [message] = await received(ben, ann);
    assert.equal(message?.contentMetadata.UNSENT, 'true');
    assert.equal((await received(ben, ann)).length, 1);
  }));

test('a sealed file is sent once, however many messages came into its chat since', () =>
  withServer(async (place) => {
    const [ann, ben] = [await place.server.user('ann'), await place.server.user('ben')];
    const [store, bens] = [memoryStore(), memoryStore()];
    await logIn(ann, store);
    await logIn(ben, bens);
    const other = await place.open(bens);
    await other.sealing.ownKey();
    await interrupted(place, store, ({ messaging }) => messaging.queueFile(ben.mid, file()));
    for (let n = 0; n < 60; n += 1) await other.messaging.sendText(ann.mid, `newer ${n}`);
    await emptied(await place.open(store));
    const sent = (await received(ben, ann)).filter(({ from }) => from === ann.mid);
    assert.equal(sent.length, 1);
  }));

for (const ahead of [0, 30]) {
  test(`a text is sent once if the clock of the device was ${ahead} hours ahead at first`, () =>
    withServer(async (place) => {
      const { server, hours } = place;
      const [ann, ben] = [await server.user('ann'), await server.user('ben')];
      const store = memoryStore();
      await logIn(ann, store);
      hours.client = ahead;
      await interrupted(place, store, ({ messaging }) => messaging.queueText(ben.mid, 'only once'));
      hours.server = hours.client = 25;
      await emptied(await place.open(store));
      assert.deepEqual(
        (await received(ben, ann)).map(({ text }) => text),
        ['only once'],
      );
    }));
}
