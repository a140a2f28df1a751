import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';
import {
  createRpcClient,
  type RpcClient,
  type RpcClientOptions,
  type StateChange,
  type StreamEvent,
  systemPorts,
  type TimerOptions,
} from '@sealpost/sdk';

let server: ServerProcess;
const people: Record<string, { mid: string; userid: string; password: string }> = {};
const clients: RpcClient[] = [];

before(async () => {
  server = await startServer();
  for (const userid of ['alice', 'bob']) people[userid] = await server.createAccount(userid);
});
after(async () => {
  for (const client of clients) client.close();
  await server?.dispose();
});

async function loggedIn(userid: string, options: Partial<RpcClientOptions> = {}): Promise<RpcClient> {
  const client = createRpcClient({ url: server.url, ...options });
  clients.push(client);
  const person = people[userid];
  assert.ok(person);
  await client.login({ identifier: person.userid, password: person.password });
  return client;
}

const midOf = (userid: string): string => people[userid]?.mid ?? '';

/** Reads texts from a stream until `count` of them have come. */
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
  // The server may take longer to start than the client waits between attempts. So alice tries again only when the
  // server runs.
  const down = Promise.withResolvers<void>();
  const tried = Promise.withResolvers<void>();
  let isDown = false;
  const timers = {
    ...systemPorts.timers,
    after(ms: number, run: () => void, options?: TimerOptions) {
      if (!isDown || ms >= 20_000) return systemPorts.timers.after(ms, run, options);
      tried.resolve();
      void down.promise.then(run);
      return { cancel: () => {} };
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

test('the end of the session ends the stream with the reason', async () => {
  const bob = await loggedIn('bob');
  const changes: StateChange[] = [];
  const reading = texts(bob.operations({ onState: (change) => changes.push(change) }), 1);
  const ending = assert.rejects(reading, /log in again/);
  await online(changes)();
  const session = bob.session;
  assert.ok(session);
  const elsewhere = createRpcClient({ url: server.url, session });
  clients.push(elsewhere);
  await elsewhere.logout();
  await ending;
  assert.equal(changes.at(-1)?.state, 'logged_out');
  assert.equal(bob.session, undefined);
});
