// A server and a client on one virtual clock: a day passes at once, and no test waits for real time.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';
import { type VirtualTime, virtualTime } from '@sealpost/dev-env/virtual-time';
import { createRpcClient, type RpcClient, type SessionEvent, type StateChange } from '@sealpost/sdk';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/**
 * How long the stream of a test lives before its end. It is more than a second, because the client takes a shorter
 * stream for a failure and pauses before it opens the next one.
 */
const SOON = 5 * SECOND;
const PING_MS = 20 * SECOND;
/** How long a client waits for a ping before it regards the stream as dead. */
const SILENCE_MS = 30 * SECOND;
const TOKENS = { 'access-token-hours': '48', 'renewal-hours': '24' };

let time: VirtualTime;
let server: TestServer;
let user: TestUser;
const clients: RpcClient[] = [];

before(async () => {
  time = virtualTime();
  const { clock, timers } = time.ports;
  server = await startServer({ ports: { clock, timers }, flags: TOKENS });
  user = await server.user('alice');
});
after(async () => {
  for (const client of clients) client.close();
  const closing = server?.close();
  // The shutdown of the server waits for virtual time too, so time must move until it is over.
  let isOver = false;
  void closing?.finally(() => {
    isOver = true;
  });
  while (!isOver) await time.advance(SECOND);
  await closing;
});

/** Returns a client with a new session. */
async function aClient(fetcher: typeof fetch = time.ports.fetch): Promise<RpcClient> {
  const { session } = await user.session();
  assert.ok(session);
  const client = createRpcClient({ url: server.url, session, ...time.ports, fetch: fetcher });
  clients.push(client);
  return client;
}

test('after a day the tokens are due: the client renews them, not sooner, and opens its stream anew', async () => {
  const opened: string[] = [];
  const client = await aClient((input, init) => {
    if (isStream(input)) opened.push(new Headers(init?.headers).get('X-Svc-Access') ?? '');
    return time.ports.fetch(input, init);
  });
  const events: SessionEvent[] = [];
  client.onSession((event) => events.push(event));
  const token = () => client.session?.tokens.accessToken;
  const first = token();
  // The machine sleeps for most of the day. In the last hour, every timer of server and client fires at its time.
  time.move(23 * HOUR);
  await time.advance(HOUR - SOON);
  assert.deepEqual(events, []);
  const reader = readStream(client);
  await until(() => reader.isOnline(), 'the stream is open');
  await time.advance(SOON);
  await until(() => token() !== first && opened.at(-1) === token() && reader.isOnline(), 'all is renewed');
  assert.deepEqual(events, [{ kind: 'renewed', scheduled: true }]);
  await reader.stop();
});

test('an access token that nobody renewed is renewed by the first call after it expired', async () => {
  const client = await aClient();
  const before = client.session?.tokens.accessToken;
  time.move(49 * HOUR);
  assert.equal((await client.TalkService.getProfile()).mid, user.mid);
  assert.notEqual(client.session?.tokens.accessToken, before);
});

test('pings keep a stream open; one without them counts as dead, and is opened again after a pause', async () => {
  let pings = 0;
  let isMute = false;
  let streams = 0;
  const client = await aClient(async (input, init) => {
    const response = await time.ports.fetch(input, init);
    if (!isStream(input)) return response;
    streams += 1;
    return new Response(
      response.body?.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            if (isMute) return;
            if (new TextDecoder().decode(chunk).includes('event: ping')) pings += 1;
            controller.enqueue(chunk);
          },
        }),
      ),
      response,
    );
  });
  const reader = readStream(client);
  await until(() => reader.isOnline(), 'the stream is open');
  for (let n = 1; n <= 5; n++) {
    await time.advance(PING_MS);
    await until(() => pings === n, `ping ${n}`);
  }
  assert.deepEqual([reader.states(), streams], [['connecting', 'online'], 1]);
  isMute = true;
  await time.advance(SILENCE_MS);
  await until(() => reader.changes.at(-1)?.state === 'degraded', 'the silence is noticed');
  const { reason, retryInMs = 0 } = reader.changes.at(-1) ?? {};
  assert.match(reason ?? '', /no ping for 30 s/);
  isMute = false;
  await time.advance(retryInMs);
  await until(() => reader.isOnline(), 'the stream is open again');
  assert.deepEqual([reader.states(), streams], [['connecting', 'online', 'degraded', 'online'], 2]);
  await reader.stop();
});

const isStream = (input: unknown): boolean => String(input).includes('/api/operation/receive');

/** Reads a stream until it is stopped, and records the states of its connection. */
function readStream(client: RpcClient) {
  const changes: StateChange[] = [];
  const stop = new AbortController();
  const reading = (async () => {
    const stream = client.operations({ onState: (change) => changes.push(change), signal: stop.signal });
    for await (const _ of stream);
  })();
  return {
    changes,
    states: () => changes.map(({ state }) => state),
    isOnline: () => changes.at(-1)?.state === 'online',
    async stop() {
      stop.abort();
      await reading;
    },
  };
}
