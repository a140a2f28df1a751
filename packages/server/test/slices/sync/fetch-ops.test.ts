import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createRawClient, type RawClient } from '@sealpost/conformance/testing';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { operator } from '@sealpost/dev-env/people';
import { until } from '@sealpost/dev-env/until';
import { type WatchedTimers, watchedTimers } from '@sealpost/dev-env/watched-timers';
import { GatewayError } from '@sealpost/sdk';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import type { RawJson, UserCall } from '../../../src/platform/rpc/call.ts';
import type { Store } from '../../../src/platform/store/store.ts';
import type { OperationLog } from '../../../src/platform/stream/operation-log.ts';
import { createOperationPolls } from '../../../src/slices/sync/index.ts';

/** Windows of polls that no other timer of the server has, so that the waiting polls can be counted. */
const WINDOW_MS = 61_234;
const SHORT_MS = 1_234;
/** Milliseconds that a poll waits if its client names no time. */
const USUAL_MS = 60_000;

const waiting = (watched: WatchedTimers, ms: number, polls = 1) =>
  until(() => watched.count(ms) === polls, `${polls} polls wait for ${ms} ms`);

for (const kind of databases) {
  describe(`polling for operations on ${kind}`, () => {
    let server: TestServer;
    let raw: RawClient;
    let friend: TestUser;
    const watched = watchedTimers();
    before(async () => {
      server = await startServer({ database: kind, ports: { timers: watched.timers } });
      raw = createRawClient({ url: server.url });
      friend = await server.user('friend');
    });
    after(async () => {
      raw?.close();
      await server?.close();
    });

    const head = async ({ client }: TestUser) => Number(await client.TalkService.getLastOpRevision());
    const poll = (user: TestUser, args: readonly unknown[], wait: string, through = raw) =>
      through.send('/api/talk/thrift/Talk/TalkService/fetchOps', {
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
      const polls: [text: string, args: [number?]][] = [
        ['first', [await head(user)]],
        ['second', []],
      ];
      for (const [text, args] of polls) {
        const polled = user.client.TalkService.fetchOps(...args);
        await waiting(watched, USUAL_MS);
        await friend.client.sendText(user.mid, text);
        assert.deepEqual(
          (await polled).map(({ message }) => message?.text),
          [text],
        );
      }
    });

    test('Answers an empty list when nothing came in time', async () => {
      const user = await server.user();
      watched.hold(SHORT_MS);
      const polled = poll(user, [await head(user)], String(SHORT_MS));
      await waiting(watched, SHORT_MS);
      watched.fire(SHORT_MS);
      const { status, body } = await polled;
      assert.deepEqual([status, body.data], [200, []]);
    });

    test('Refuses revisions that the log does not have', async () => {
      const user = await server.user();
      const end = await head(user);
      const told =
        `localRev ${end + 1} is ahead of the log, which ends at ${end}: ` +
        'ask getLastOpRevision, read everything again, and go on from its answer';
      await assert.rejects(
        user.client.TalkService.fetchOps(end + 1),
        (error) => error instanceof GatewayError && error.error === 'EXPIRED_REVISION' && error.reason === told,
      );
    });

    test('Ends the poll of a session that polls again, and of one that logs out', async (t) => {
      // A poll ends the older one only if both are at the same server.
      const own = watchedTimers();
      own.hold(WINDOW_MS);
      const single = await startServer({ database: kind, servers: 1, ports: { timers: own.timers } });
      t.after(() => single.close());
      const alone = createRawClient({ url: single.url });
      t.after(() => alone.close());
      const user = await single.user();
      const from = await head(user);
      const first = poll(user, [from], String(WINDOW_MS), alone);
      await waiting(own, WINDOW_MS);
      const second = poll(user, [from], String(WINDOW_MS), alone);
      assert.deepEqual((await first).body.data, []);
      await waiting(own, WINDOW_MS);
      await user.client.logout();
      const { status, body } = await second;
      assert.deepEqual([status, body.data], [200, []]);
    });
  });
}

test('A poll ends with the next one and with its session, though its own time never comes', {
  timeout: 200_000,
}, async (t) => {
  const { after: real, every } = systemPorts.timers;
  let waiting = 0;
  const wait = () => {
    waiting += 1;
    return {
      cancel() {
        waiting -= 1;
      },
    };
  };
  const timers = { every, after: (ms: number, run: () => void) => (ms === USUAL_MS ? wait() : real(ms, run)) };
  // A poll ends the older one only if both are at the same server.
  const server = await startServer({ servers: 1, ports: { timers } });
  t.after(() => server.close());
  const byOperator = (user: TestUser) => operator(server).endSessions({ account: user.userid });
  for (const end of [(user: TestUser) => user.client.logout(), byOperator]) {
    const user = await server.user();
    const left = user.client.TalkService.fetchOps();
    while (waiting === 0) await turn();
    const polled = user.client.TalkService.fetchOps();
    assert.deepEqual(await left, [], 'who polls again left the first');
    await end(user);
    assert.deepEqual(await polled, []);
    assert.equal(waiting, 0);
  }
});

test('Ends its polls when the server stops', async () => {
  const watched = watchedTimers();
  watched.hold(USUAL_MS);
  const server = await startServer({ ports: { timers: watched.timers } });
  const user = await server.user();
  const polled = user.client.TalkService.fetchOps();
  await waiting(watched, USUAL_MS);
  await server.close();
  assert.deepEqual(await polled, []);
});

test('An answer ends before a gap in a log that is trimmed meanwhile', async () => {
  const stored = [4, 5, 7, 9];
  const log = {
    head: async () => ({ revision: 9, firstRevision: 1 }),
    readAfter: async (_reader, accountId, revision, limit) =>
      stored
        .filter((one) => one > revision)
        .slice(0, limit)
        .map((one) => ({
          ...{ accountId, revision: one, createdTime: 0, type: 1, reqSeq: 0, status: 0 },
          ...{ param1: null, param2: null, param3: null, body: null },
        })),
  } satisfies Partial<OperationLog> as unknown as OperationLog;
  const store = { read: (work: (reader: never) => unknown) => work(undefined as never) } as unknown as Store;
  const polls = createOperationPolls({
    store,
    log,
    openStreams: { changed: async () => {} },
    timers: systemPorts.timers,
  });
  const call = { caller: { accountId: 1, sessionId: 1 } } as unknown as UserCall;
  const { json } = (await polls.handlers['TalkService.fetchOps'](call, 3, 50)) as RawJson;
  assert.deepEqual(
    JSON.parse(json).map(({ revision }: { revision: string }) => revision),
    ['4', '5'],
  );
});
