import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { limits } from '@sealpost/contract';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { GatewayError, systemPorts } from '@sealpost/sdk';
import { opened } from './opened.ts';
import { recordedFetch } from './recorded-fetch.ts';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server.close());

test('a channel token is kept, renewed shortly before it expires, and shared by calls of one moment', async () => {
  let later = 0;
  const { clock } = systemPorts;
  const recorded = recordedFetch();
  const client = await opened(server, await server.user(), {
    fetch: recorded.fetch,
    clock: { ...clock, now: () => clock.now() + later },
  });
  const tokens = await Promise.all([client.channels.token(), client.channels.token(), client.channels.token()]);
  assert.equal(new Set(tokens).size, 1);
  assert.equal(await client.channels.token(), tokens[0]);
  assert.equal(recorded.to('/issueChannelToken').length, 1);
  later = limits.channelTokenMs.value - 30_000;
  const renewed = await Promise.all([client.channels.token(), client.channels.token()]);
  assert.equal(new Set(renewed).size, 1);
  assert.notEqual(renewed[0], tokens[0]);
  assert.deepEqual([recorded.to('/issueChannelToken').length, recorded.to('/refreshChannelToken').length], [1, 1]);
});

test('where tokens cannot be renewed, another one is asked for', async () => {
  let later = 0;
  const { clock } = systemPorts;
  const recorded = recordedFetch(({ path }) =>
    path.endsWith('/refreshChannelToken')
      ? Promise.resolve(Response.json({ code: 10006, message: 'not found' }, { status: 404 }))
      : undefined,
  );
  const client = await opened(server, await server.user(), {
    fetch: recorded.fetch,
    clock: { ...clock, now: () => clock.now() + later },
  });
  await client.channels.token();
  later = limits.channelTokenMs.value;
  await client.channels.token();
  assert.equal(recorded.to('/issueChannelToken').length, 2);
});

test('a refused token is replaced, on the timeline and in object storage', async () => {
  const user = await server.user();
  let broken = 1;
  const recorded = recordedFetch(({ path }, ask) =>
    path.endsWith('/issueChannelToken') && broken-- > 0
      ? ask().then(async (response) => {
          const body = (await response.json()) as { data: object };
          return Response.json({ ...body, data: { ...body.data, token: 'nonsense' } });
        })
      : undefined,
  );
  const client = await opened(server, user, { fetch: recorded.fetch });
  assert.equal((await client.profile.cover()).homeId, user.mid);
  assert.equal(recorded.to('/issueChannelToken').length, 2);
  assert.equal(recorded.to('/homeId').length, 2);
  const about = { service: 'myhome', sid: 'c', oid: 'none' } as const;
  let asked = 0;
  const missing = client.channels.withToken((channelToken) => {
    asked += 1;
    return client.rpc.http.directObject(about, { method: 'GET', channelToken: asked === 1 ? 'x' : channelToken });
  });
  await assert.rejects(missing, (error) => error instanceof GatewayError && error.http === 404);
  assert.equal(asked, 2);
});
