import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { brandHeader } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';

interface Frame {
  id?: string;
  event?: string;
  data: string;
}

/** Reads events of the raw stream until `enough` returns true. */
async function read(
  user: TestUser,
  url: string,
  query: string,
  enough: (frames: Frame[]) => boolean,
  headers: Record<string, string> = {},
): Promise<Frame[]> {
  const token = user.client.session?.tokens.accessToken as string;
  const stop = new AbortController();
  const response = await fetch(`${url}/api/operation/receive${query}`, {
    headers: { [brandHeader('Svc', 'access')]: token, accept: 'text/event-stream', ...headers },
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(120_000)]),
  });
  assert.equal(response.status, 200);
  const frames: Frame[] = [];
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      frames.push(Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2))) as unknown as Frame);
    }
    if (enough(frames)) break;
  }
  stop.abort();
  return frames;
}

/** Opens a stream and waits for its first event. Later operations are delivered from then on. */
function begin(...[user, url, query, enough, headers]: Parameters<typeof read>) {
  const { promise: opened, resolve } = Promise.withResolvers<void>();
  const seen = (frames: Frame[]): boolean => {
    resolve();
    return enough(frames);
  };
  return { reading: read(user, url, query, seen, headers), opened };
}

const operations = (frames: Frame[]) => frames.filter((frame) => frame.event === undefined);
const revisions = (frames: Frame[]) => operations(frames).map((frame) => Number(frame.id));
const upTo = (count: number) => (frames: Frame[]) => operations(frames).length >= count;

for (const database of databases) {
  describe(`the operation stream on ${database}`, () => {
    let server: TestServer;
    let alice: TestUser;
    let bob: TestUser;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());
    const pair = async () => {
      alice = await server.user('alice');
      bob = await server.user('bob');
    };

    test('operations are unnamed events with their revision as id, after connInfoRevision', async () => {
      await pair();
      await alice.client.sendText(bob.mid, 'one');
      const frames = await read(bob, server.url, '?localRev=0', upTo(1));
      assert.deepEqual(frames[0], { event: 'connInfoRevision', data: '1' });
      assert.equal(frames[1]?.event, undefined);
      assert.equal(frames[1]?.id, '1');
      assert.equal(JSON.parse(frames[1]?.data as string).message.text, 'one');
    });

    test('from replay to live there is no gap and no duplicate while others write', async () => {
      await pair();
      const total = 400;
      let sent = 0;
      const writer = (async () => {
        for (; sent < total; sent += 20) {
          await Promise.all(Array.from({ length: 20 }, (_, i) => alice.client.sendText(bob.mid, `m${sent + i}`)));
        }
      })();
      const readers = Array.from({ length: 8 }, async (_, i) => {
        await until(() => sent >= i * 40, `${i * 40} messages are sent`);
        return read(bob, server.url, '?localRev=0', upTo(total));
      });
      const all = Array.from({ length: total }, (_, n) => n + 1);
      for (const frames of await Promise.all(readers)) assert.deepEqual(revisions(frames), all);
      await writer;
    });

    test('resumes at the larger of localRev and Last-Event-ID', async () => {
      await pair();
      for (let i = 0; i < 5; i++) await alice.client.sendText(bob.mid, `m${i}`);
      const frames = await read(bob, server.url, '?localRev=1', upTo(2), { 'last-event-id': '3' });
      assert.deepEqual(revisions(frames), [4, 5]);
    });

    test('without a cursor only what comes from now on is sent', async () => {
      await pair();
      await alice.client.sendText(bob.mid, 'before');
      const { reading, opened } = begin(bob, server.url, '', upTo(1));
      await opened;
      await alice.client.sendText(bob.mid, 'after');
      const [operation] = operations(await reading);
      assert.equal(JSON.parse(operation?.data as string).message.text, 'after');
    });

    test('a cursor ahead of the log gets fullSync with the newest revision, then goes on live', async () => {
      await pair();
      await alice.client.sendText(bob.mid, 'one');
      const synced = (frames: Frame[]) => frames.some((frame) => frame.event === 'fullSync');
      const frames = await read(bob, server.url, '?localRev=9223372036854775807', synced);
      assert.deepEqual(JSON.parse(frames.at(-1)?.data as string), { reasons: [1], nextRevision: '1' });
    });

    test('a cursor older than the log gets fullSync instead of a silent skip', async () => {
      await pair();
      for (let i = 0; i < 3; i++) await alice.client.sendText(bob.mid, `m${i}`);
      const { store, slices } = server.server;
      const account = await store.read((reader) => slices.accounts.findByMid(reader, bob.mid));
      await store.transact((tx) => server.server.log.trim(tx, account?.id as number, 0, 1));
      const synced = (frames: Frame[]) => frames.some((frame) => frame.event === 'fullSync');
      const frames = await read(bob, server.url, '?localRev=0', synced);
      assert.deepEqual(JSON.parse(frames.at(-1)?.data as string), { reasons: [3], nextRevision: '3' });
      assert.deepEqual(revisions(await read(bob, server.url, '?localRev=2', upTo(1))), [3]);
      await assert.rejects(bob.log(), /the log has no operations between 0 and 3/, 'nobody waits for what is gone');
    });

    test('every session of an account gets every operation once, its own echo included', async () => {
      await pair();
      const sessions = [
        alice,
        ...(await Promise.all(Array.from({ length: 4 }, () => alice.session()))).map((client) => ({
          ...alice,
          client,
        })),
      ];
      const reading = sessions.map((session) => read(session, server.url, '?localRev=0', upTo(3)));
      await alice.client.sendText(bob.mid, '1');
      await bob.client.sendText(alice.mid, '2');
      await alice.client.sendText(alice.mid, '3');
      for (const frames of await Promise.all(reading)) assert.deepEqual(revisions(frames), [1, 2, 3]);
    });

    test('logging out ends that session with talkException and leaves the others', async () => {
      await pair();
      const other = { ...alice, client: await alice.session() };
      const isOver = (frames: Frame[]) => frames.some((frame) => frame.event === 'talkException');
      const { reading: ended, opened } = begin(other, server.url, '', isOver);
      const { reading: staying, opened: stays } = begin(alice, server.url, '', upTo(1));
      await Promise.all([opened, stays]);
      await other.client.logout();
      const last = (await ended).at(-1);
      assert.equal(JSON.parse(last?.data as string).reason, 'V3_TOKEN_CLIENT_LOGGED_OUT');
      await bob.client.sendText(alice.mid, 'still here');
      assert.equal(operations(await staying).length, 1);
    });

    test('a bad cursor is refused, and no token means 401', async () => {
      await pair();
      const token = alice.client.session?.tokens.accessToken as string;
      for (const [query, headers, field] of [
        ['localRev=abc', {}, 'localRev'],
        ['localRev=0', { 'last-event-id': 'abc' }, 'Last-Event-ID'],
      ] as const) {
        const refused = await fetch(`${server.url}/api/operation/receive?${query}`, {
          headers: { 'x-svc-access': token, ...headers },
        });
        assert.equal(refused.status, 400);
        const { code, message } = (await refused.json()) as { code: number; message: string };
        assert.deepEqual([code, message], [10003, `${field} must be an integer, not "abc"`]);
      }
      const anonymous = await fetch(`${server.url}/api/operation/receive`);
      assert.equal(anonymous.status, 401);
      const byCookie = await fetch(`${server.url}/api/operation/receive?localRev=0`, {
        headers: { cookie: `a=b; lct=${token}` },
      });
      assert.equal(byCookie.status, 200);
      await byCookie.body?.cancel();
    });

    test('the SDK resumes by itself after the server restarts and misses nothing', async () => {
      await pair();
      await alice.client.sendText(bob.mid, 'before');
      const before = await bob.log();
      await server.restart();
      const again = { ...alice };
      assert.equal(before.length, 1);
      const token = again.client.session?.tokens.accessToken as string;
      const replay = await fetch(`${server.url}/api/operation/receive?localRev=0`, {
        headers: { 'x-svc-access': token },
      });
      const reader = (replay.body as ReadableStream<Uint8Array>).getReader();
      let text = '';
      while (!text.includes('before')) text += new TextDecoder().decode((await reader.read()).value);
      await reader.cancel();
    });
  });
}

test('a reader that stops reading is cut off and the server keeps its memory', async () => {
  const server = await startServer();
  try {
    const alice = await server.user('alice');
    const bob = await server.user('bob');
    const token = bob.client.session?.tokens.accessToken as string;
    const { connect } = await import('node:net');
    const { port } = new URL(server.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET /api/operation/receive?localRev=0 HTTP/1.1\r\nHost: x\r\nX-Svc-Access: ${token}\r\n\r\n`);
    socket.pause();
    await until(() => server.server.openStreams.size === 1, 'the stream is open');
    const text = 'x'.repeat(9_000);
    for (let i = 0; i < 1500 && server.server.openStreams.size > 0; i += 50) {
      await Promise.all(Array.from({ length: 50 }, () => alice.client.sendText(bob.mid, text)));
    }
    assert.equal(server.server.openStreams.size, 0);
    socket.destroy();
  } finally {
    await server.close();
  }
});
