// A recorded session, served as a gateway: the same client gets the same answers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';
import { createRpcClient, GatewayError, type RpcClient, systemPorts } from '@sealpost/sdk';
import {
  type Recorder,
  type Replay,
  readSession,
  type SessionFile,
  startRecorder,
  startReplay,
  writeSession,
} from '@sealpost/testing/record';

let server: TestServer;
let alice: TestUser;
let bob: TestUser;
const replays: Replay[] = [];
before(async () => {
  server = await startServer();
  alice = await server.user('alice');
  bob = await server.user('bob');
});
after(async () => {
  for (const replay of replays) await replay.close();
  await server.close();
});

/** Records what a client does, logged in through the recorder. */
async function recorded(work: (client: RpcClient, recorder: Recorder) => Promise<unknown>): Promise<SessionFile> {
  const recorder = await startRecorder({ target: server.url, ports: systemPorts });
  const client = createRpcClient({ url: recorder.url });
  await client.login({ identifier: alice.userid, password: alice.password });
  await work(client, recorder);
  client.close();
  await until(() => recorder.session().exchanges.every(({ answer }) => answer?.end !== 'open'), 'all exchanges ended');
  const session = readSession(writeSession(recorder.session()));
  await recorder.close();
  return session;
}

async function replayed(session: SessionFile): Promise<{ replay: Replay; said: string[]; client: RpcClient }> {
  const said: string[] = [];
  const replay = await startReplay(session, { ports: systemPorts, onNotRecorded: (_, text) => said.push(text) });
  replays.push(replay);
  const client = createRpcClient({ url: replay.url });
  server.atEnd(() => client.close());
  return { replay, said, client };
}

const refusedWith = (status: number, reason: RegExp) => (error: unknown) =>
  error instanceof GatewayError && error.http === status && reason.test(error.reason);

test('the same client does the same again, with a login of its own and new request numbers', async () => {
  const talk = async (client: RpcClient) => {
    const profile = await client.TalkService.getProfile();
    const sent = await client.sendText(bob.mid, 'hello');
    const again = await client.sendText(bob.mid, 'hello again');
    const last = await client.TalkService.getRecentMessagesV2(bob.mid, 2);
    return { profile, ids: [sent.id, again.id], last: last.map(({ text }) => text) };
  };
  let live: unknown;
  const session = await recorded(async (client) => {
    live = await talk(client);
  });
  assert.ok(!writeSession(session).includes(alice.password));
  const { replay, said, client } = await replayed(session);
  // The credential is encrypted anew, the tokens are placeholders, and the request numbers are those of another clock.
  await client.login({ identifier: alice.userid, password: alice.password });
  assert.match(client.session?.tokens.accessToken ?? '', /^redacted-access-token-\d$/);
  assert.deepEqual(await talk(client), live);
  assert.deepEqual([said, replay.notRecorded.length], [[], 0]);
  assert.ok(replay.left.every(({ endpoint }) => !endpoint?.startsWith('TalkService.send')));
});

test('calls with the same arguments get their answers in order', async () => {
  const session = await recorded(async (client) => {
    await client.TalkService.getLastOpRevision();
    await client.sendText(bob.mid, 'in between');
    await client.TalkService.getLastOpRevision();
  });
  const revisions = session.exchanges.filter(({ endpoint }) => endpoint === 'TalkService.getLastOpRevision');
  const recordedRevisions = revisions.map(({ answer }) => JSON.parse(answer?.body?.content ?? '').data);
  assert.notEqual(recordedRevisions[0], recordedRevisions[1]);
  const { client, said } = await replayed(session);
  const found = [await client.TalkService.getLastOpRevision(), await client.TalkService.getLastOpRevision()];
  assert.deepEqual(found, recordedRevisions);
  await assert.rejects(client.TalkService.getLastOpRevision(), refusedWith(404, /recorded, but fewer times/));
  assert.equal(said.length, 1);
});

test('a call that was not recorded is told with the closest recorded call', async () => {
  const session = await recorded((client) => client.sendText(bob.mid, 'as recorded'));
  const id = session.exchanges.find(({ endpoint }) => endpoint === 'TalkService.sendMessage')?.id;
  const { client, replay, said } = await replayed(session);
  await client.login({ identifier: alice.userid, password: alice.password });
  await assert.rejects(client.sendText(bob.mid, 'otherwise'), refusedWith(404, /not recorded with these arguments/));
  assert.equal(
    said[0],
    `TalkService.sendMessage was not recorded with these arguments. The closest recorded call is #${id}: message.text is "otherwise", recorded was "as recorded".`,
  );
  await assert.rejects(client.TalkService.sendChatChecked(1, bob.mid, '5'), refusedWith(404, /closest recorded call/));
  assert.match(
    said[1] ?? '',
    new RegExp(`sendChatChecked was not recorded\\. The closest recorded call is #${id} TalkService.sendMessage`),
  );
  assert.equal(replay.notRecorded.length, 2);
});

test('a stream waits for the calls that came before its events, and then stays open', async () => {
  const hear = async (client: RpcClient, texts: string[], stop: AbortController): Promise<void> => {
    for await (const event of client.operations({ from: '0', signal: stop.signal })) {
      if (event.kind === 'operation' && event.operation.message?.text) texts.push(event.operation.message.text);
    }
  };
  const session = await recorded(async (client, recorder) => {
    const [texts, stop] = [[] as string[], new AbortController()];
    const heard = hear(client, texts, stop);
    // The first message comes after the stream is open, so that its event is gated.
    await client.TalkService.getProfile();
    const isOpen = () =>
      recorder.session().exchanges.some(({ endpoint, answer }) => endpoint === 'operationReceive' && answer);
    await until(isOpen, 'the stream is open');
    await client.sendText(bob.mid, 'one');
    await until(() => texts.includes('one'), 'the first operation came');
    await client.sendText(bob.mid, 'two');
    await until(() => texts.includes('two'), 'the second operation came');
    stop.abort();
    await heard;
  });
  const { client, said } = await replayed(session);
  await client.login({ identifier: alice.userid, password: alice.password });
  const [texts, stop] = [[] as string[], new AbortController()];
  const heard = hear(client, texts, stop);
  await client.TalkService.getProfile();
  await client.sendText(bob.mid, 'one');
  await until(() => texts.includes('one'), 'the first operation came');
  assert.ok(!texts.includes('two'), 'the second operation waits for the second call');
  await client.sendText(bob.mid, 'two');
  await until(() => texts.includes('two'), 'the second operation came');
  stop.abort();
  await heard;
  assert.deepEqual(said, []);
});

test('two accounts of one session get their own answers', async () => {
  const recorder = await startRecorder({ target: server.url, ports: systemPorts });
  const clients = [alice, bob].map(({ client: { session } }) =>
    createRpcClient({ url: recorder.url, ...(session && { session }) }),
  );
  const names: string[] = [];
  for (const client of clients) names.push((await client.TalkService.getProfile()).displayName ?? '');
  await until(() => recorder.session().exchanges.every(({ answer }) => answer?.end !== 'open'), 'all exchanges ended');
  const session = recorder.session();
  for (const client of clients) client.close();
  await recorder.close();
  const replay = await startReplay(session, { ports: systemPorts });
  replays.push(replay);
  // Bob asks first now.
  const found: string[] = [];
  for (const n of [2, 1]) {
    const response = await fetch(`${replay.url}/api/talk/thrift/Talk/TalkService/getProfile`, {
      method: 'POST',
      headers: { 'X-Svc-Access': `redacted-access-token-${n}` },
      body: '[]',
    });
    found.push((await response.json()).data.displayName);
  }
  assert.deepEqual(found, names.toReversed());
});

test('a file that is not a session, of another version, or damaged is refused with the reason', () => {
  assert.throws(() => readSession('{}'), /not a recorded session/);
  assert.throws(
    () => readSession('{"format":"sealpost-session","version":2}'),
    /version 2, and this command reads version 1/,
  );
  const damaged = {
    format: 'sealpost-session',
    version: 1,
    recordedTime: '',
    target: '',
    brand: '',
    secrets: {},
    exchanges: [{}],
  };
  assert.throws(() => readSession(JSON.stringify(damaged)), /damaged: \/exchanges\/0/);
});
