import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createRawClient, type RawClient } from '@sealpost/conformance/testing';
import { GatewayError } from '@sealpost/sdk';
import { databases, startServer, type TestServer, type TestUser } from './harness.ts';

for (const kind of databases) {
  describe(`polling for operations on ${kind}`, () => {
    let server: TestServer;
    let raw: RawClient;
    let friend: TestUser;
    before(async () => {
      server = await startServer({ database: kind });
      raw = createRawClient({ url: server.url });
      friend = await server.user('friend');
    });
    after(async () => {
      raw?.close();
      await server?.close();
    });

    const head = async ({ client }: TestUser) => Number(await client.TalkService.getLastOpRevision());
    const poll = (user: TestUser, args: readonly unknown[], wait: string) =>
      raw.send('/api/talk/thrift/Talk/TalkService/fetchOps', {
        body: JSON.stringify(args),
        token: user.client.session?.tokens.accessToken,
        headers: { 'X-LST': wait },
      });

    test('Answers at once what is in the log after the revision, oldest first and not more than asked for', async () => {
      const user = await server.user();
      const start = await head(user);
      for (const line of ['one', 'two', 'three']) await user.client.sendText(friend.mid, line);
      const texts = (await user.client.TalkService.fetchOps(start, 2)).map(({ message }) => message?.text);
      assert.deepEqual(texts, ['one', 'two']);
      const all = await user.client.TalkService.fetchOps(String(start), 50);
      assert.deepEqual(all, await user.log(start));
    });

    test('Waits for the next operation, from now on if no revision is given', async () => {
      const user = await server.user();
      for (const args of [[await head(user)], []]) {
        const polled = user.client.TalkService.fetchOps(...(args as [number?]));
        await pause(50);
        await friend.client.sendText(user.mid, 'news');
        assert.deepEqual(
          (await polled).map(({ message }) => message?.text),
          ['news'],
        );
      }
    });

    test('Answers an empty list when nothing came in time', async () => {
      const user = await server.user();
      const started = Date.now();
      const { status, body } = await poll(user, [await head(user)], '1000');
      assert.deepEqual([status, body.data], [200, []]);
      assert.ok(Date.now() - started >= 900);
    });

    test('Refuses revisions that the log does not have', async () => {
      const user = await server.user();
      await assert.rejects(
        user.client.TalkService.fetchOps((await head(user)) + 1),
        (error) => error instanceof GatewayError && error.error === 'EXPIRED_REVISION',
      );
    });

    test('Ends the poll of a session that polls again, and of one that logs out', async () => {
      const user = await server.user();
      const from = await head(user);
      const first = poll(user, [from], '60000');
      await pause(50);
      const second = poll(user, [from], '60000');
      assert.deepEqual((await first).body.data, []);
      await pause(50);
      await user.client.logout();
      const { status, body } = await second;
      assert.deepEqual([status, body.data], [200, []]);
    });
  });
}

test('Ends its polls when the server stops', async () => {
  const server = await startServer();
  const user = await server.user();
  const polled = user.client.TalkService.fetchOps();
  await pause(50);
  const started = Date.now();
  await server.close();
  assert.deepEqual(await polled, []);
  assert.ok(Date.now() - started < 3_000);
});
