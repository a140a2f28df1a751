import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';
import { type Client, type ClientOptions, createClient, type StateChange, type StreamEvent } from '@sealpost/sdk';

let server: ServerProcess;
const people: Record<string, { mid: string; userid: string; password: string }> = {};
const clients: Client[] = [];

before(async () => {
  server = await startServer();
  for (const userid of ['alice', 'bob']) people[userid] = await server.createAccount(userid);
});
after(async () => {
  for (const client of clients) client.close();
  await server?.dispose();
});

async function loggedIn(userid: string, options: Partial<ClientOptions> = {}): Promise<Client> {
  const client = createClient({ url: server.url, ...options });
  clients.push(client);
  const person = people[userid];
  assert.ok(person);
  await client.login({ identifier: person.userid, password: person.password });
  return client;
}

const midOf = (userid: string): string => people[userid]?.mid ?? '';

/** Reads texts off a stream until `count` have come. */
async function texts(stream: AsyncIterable<StreamEvent>, count: number): Promise<string[]> {
  const found: string[] = [];
  for await (const event of stream) {
    if (event.kind === 'operation' && event.operation.message) found.push(event.operation.message.text ?? '');
    if (found.length === count) return found;
  }
  return found;
}

const online = (changes: StateChange[]) => async () => {
  while (changes.at(-1)?.state !== 'online') await new Promise((resolve) => setTimeout(resolve, 10));
};

test('what one account sends arrives on the stream of the other, in order', async () => {
  const [alice, bob] = await Promise.all([loggedIn('alice'), loggedIn('bob')]);
  const changes: StateChange[] = [];
  const received = texts(bob.operations({ onState: (change) => changes.push(change) }), 3);
  await online(changes)();
  for (const text of ['one', 'two', 'three']) await alice.sendText(midOf('bob'), text);
  assert.deepEqual(await received, ['one', 'two', 'three']);
  assert.deepEqual(
    changes.map((change) => change.state),
    ['connecting', 'online'],
  );
});

test('a stream from a revision replays what came after it', async () => {
  const [alice, bob] = await Promise.all([loggedIn('alice'), loggedIn('bob')]);
  const from = await bob.TalkService.getLastOpRevision();
  await alice.sendText(midOf('bob'), 'missed');
  assert.deepEqual(await texts(bob.operations({ from }), 1), ['missed']);
});

test('a stream goes on after the server was killed, without gap or repetition', async () => {
  // A start can take longer than a client tries: the next try of alice comes when the server is there.
  const down = Promise.withResolvers<void>();
  const tried = Promise.withResolvers<void>();
  let isDown = false;
  const timers = {
    after(ms: number, callback: () => void, options?: { background?: boolean }) {
      const timer = setTimeout(callback, ms);
      if (options?.background) timer.unref();
      if (isDown && ms < 20_000) {
        clearTimeout(timer);
        tried.resolve();
        void down.promise.then(callback);
      }
      return () => clearTimeout(timer);
    },
  };
  const [alice, bob] = await Promise.all([loggedIn('alice', { timers }), loggedIn('bob')]);
  const changes: StateChange[] = [];
  const received = texts(bob.operations({ onState: (change) => changes.push(change) }), 4);
  await online(changes)();
  await alice.sendText(midOf('bob'), '1');
  await alice.sendText(midOf('bob'), '2');
  await server.kill();
  isDown = true;
  const during = alice.sendText(midOf('bob'), '3');
  await tried.promise;
  await server.start();
  isDown = false;
  down.resolve();
  await during;
  await alice.sendText(midOf('bob'), '4');
  assert.deepEqual(await received, ['1', '2', '3', '4']);
  const states = changes.map((change) => change.state);
  assert.ok(states.includes('degraded'), states.join());
  assert.equal(states.at(-1), 'online');
});

test('a cursor that the server does not have gives fullSync, and the stream goes on from there', async () => {
  const [alice, bob] = await Promise.all([loggedIn('alice'), loggedIn('bob')]);
  const events: StreamEvent[] = [];
  for await (const event of bob.operations({ from: '999999999' })) {
    events.push(event);
    if (event.kind === 'fullSync') await alice.sendText(midOf('bob'), 'after the fullSync');
    if (event.kind === 'operation') break;
  }
  assert.deepEqual(
    events.map((event) => event.kind),
    ['fullSync', 'operation'],
  );
});

test('a silent connection counts as dead and is opened again', async () => {
  const changes: StateChange[] = [];
  let opened = 0;
  let silence: (() => void) | undefined;
  const bob = await loggedIn('bob', {
    timers: {
      after(ms, callback, options) {
        // The watchdog and the time limit of a call are both that long; the test calls the later one itself.
        if (options?.background) return () => {};
        if (ms >= 30_000) {
          silence = callback;
          return () => {};
        }
        const timer = setTimeout(callback, 1);
        return () => clearTimeout(timer);
      },
    },
    fetch: (input, init) => {
      if (!String(input).includes('/api/operation/receive') || opened++ > 0) return fetch(input, init);
      return Promise.resolve(new Response(new ReadableStream()));
    },
  });
  const stop = new AbortController();
  const reading = texts(bob.operations({ onState: (change) => changes.push(change), signal: stop.signal }), 1);
  await online(changes)();
  await new Promise((resolve) => setTimeout(resolve, 20));
  silence?.();
  while (!changes.some(({ state }) => state === 'degraded')) await new Promise((resolve) => setTimeout(resolve, 5));
  await online(changes)();
  stop.abort();
  await reading;
  assert.deepEqual(
    changes.map((change) => change.state),
    ['connecting', 'online', 'degraded', 'online'],
  );
  assert.match(changes[2]?.reason ?? '', /no ping for 30 s/);
});

test('the end of the session ends the stream with the reason', async () => {
  const bob = await loggedIn('bob');
  const changes: StateChange[] = [];
  const reading = texts(bob.operations({ onState: (change) => changes.push(change) }), 1);
  const ending = assert.rejects(reading, /log in again/);
  await online(changes)();
  const session = bob.session;
  assert.ok(session);
  const elsewhere = createClient({ url: server.url, session });
  clients.push(elsewhere);
  await elsewhere.logout();
  await ending;
  assert.equal(changes.at(-1)?.state, 'logged_out');
  assert.equal(bob.session, undefined);
});

test('after a scheduled renewal the stream is opened again with the new token', async () => {
  let due = () => {};
  const opened: string[] = [];
  let now = 0;
  const bob = await loggedIn('bob', {
    clock: () => Date.now() + now,
    timers: {
      after(ms, callback, options) {
        if (options?.background) {
          due = callback;
          return () => {};
        }
        const timer = setTimeout(callback, ms);
        return () => clearTimeout(timer);
      },
    },
    fetch: (input, init) => {
      if (String(input).includes('/api/operation/receive')) {
        opened.push(new Headers(init?.headers).get('X-Svc-Access') ?? '');
      }
      return fetch(input, init);
    },
  });
  const stop = new AbortController();
  const changes: StateChange[] = [];
  const reading = texts(bob.operations({ onState: (change) => changes.push(change), signal: stop.signal }), 1);
  await online(changes)();
  const renewed = new Promise((resolve) => bob.onSession(resolve));
  now = 48 * 3_600_000;
  due();
  await renewed;
  while (opened.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(opened[1], bob.session?.tokens.accessToken);
  assert.notEqual(opened[0], opened[1]);
  stop.abort();
  await reading;
});
