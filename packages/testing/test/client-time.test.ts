// Clients of the SDK that live in the time of the server: time does not outrun their requests.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '@sealpost/dev-env/until';
import { type Client, createClient } from '@sealpost/sdk';
import { startTestServer, type TestServer } from '@sealpost/testing';

async function started(t: TestContext): Promise<TestServer> {
  const server = await startTestServer({ accounts: ['alice'] });
  t.after(() => server.close());
  return server;
}

/** Logs alice in, and waits until her client is online. */
async function loggedIn(t: TestContext, { url, buildToken, brand, ports }: TestServer): Promise<Client> {
  const client = createClient({ url, buildToken, brand, ...ports });
  t.after(() => client.close());
  await client.login({ identifier: 'alice', password: 'alice-sealpost' });
  await isOnline(client);
  return client;
}

/** Notes the states of the connection that a client reports, without repetitions. */
function statesOf(client: Client): Set<string> {
  const states = new Set<string>();
  client.onConnection(({ state, reason }) => states.add(reason === undefined ? state : `${state}: ${reason}`));
  return states;
}

const isOnline = (client: Client) => until(() => client.connection.state === 'online', 'the client is online');

test('an idle client keeps its session and its connection over days', async (t) => {
  const server = await started(t);
  const client = await loggedIn(t, server);
  const states = statesOf(client);
  await server.clock.advance('49h');
  await isOnline(client);
  assert.deepEqual([...states], ['connecting', 'online']);
  assert.equal(server.requests({ method: 'tokenRefresh' }).length, 2);
});

test('a stream that opens while time passes gets pings', async (t) => {
  const server = await started(t);
  const client = await loggedIn(t, server);
  const states = statesOf(client);
  // The client is without a stream for more than a minute. Then the server has nobody to send a ping to.
  server.fault({ match: { method: 'operationReceive' }, answer: { error: 'OVERLOADED' }, times: 8 });
  await server.trigger({ account: 'alice', event: 'cut' });
  await server.clock.advance('10h');
  await isOnline(client);
  assert.deepEqual(
    [...states].filter((state) => /no ping/.test(state)),
    [],
  );
  assert.equal(server.faults[0]?.fired, 8);
});

test('time passes for a request that the server drops or delays', async (t) => {
  const server = await started(t);
  const client = await loggedIn(t, server);
  const match = { method: 'getProfile' };
  const fault = server.fault({ match, drop: 'request' });
  const dropped = assert.rejects(client.rpc.TalkService.getProfile(0), /did not answer in time/);
  await server.waitForRequest(match);
  await server.clock.advance('31s');
  await dropped;
  fault.remove();
  server.clearRequests();
  server.fault({ match, delay: '10s' });
  const delayed = client.rpc.TalkService.getProfile(0);
  await server.waitForRequest(match);
  await server.clock.advance('10s');
  assert.equal((await delayed).userid, 'alice');
});

test('the record of a call has only the headers that the client sent', async (t) => {
  const server = await started(t);
  const client = await loggedIn(t, server);
  await client.rpc.TalkService.getProfile(0);
  const [record] = server.requests({ method: 'getProfile' });
  assert.ok(record);
  assert.doesNotMatch(JSON.stringify(record.headers), /x-dev-/i);
});
