// Clients that do not read their streams, and the memory that they cost the server, in bytes and in buffers.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import type { Caller } from '../../../src/platform/rpc/call.ts';
import { createOperationLog } from '../../../src/platform/stream/operation-log.ts';
import type { Sink } from '../../../src/platform/stream/stream.ts';

const MOST = 1_048_576;

/** A client that reads nothing, with what it occupies at the server. */
interface Debtor {
  readonly sink: Sink;
  readonly pieces: Buffer[];
  isCut: boolean;
  hasEnded: boolean;
}

function debtor(): Debtor {
  const unread = () => (own.isCut ? 0 : own.pieces.reduce((sum, piece) => sum + piece.length, 0));
  const own: Debtor = {
    pieces: [],
    isCut: false,
    hasEnded: false,
    sink: {
      write(events) {
        own.pieces.push(events);
        return unread();
      },
      unread,
      drained: async () => {},
      end: () => {
        own.hasEnded = true;
      },
      cut: () => {
        own.isCut = true;
      },
    },
  };
  return own;
}

async function callerOf({ server }: TestServer, user: TestUser): Promise<Caller> {
  return (await server.slices.sessions.load(user.client.session?.tokens.accessToken as string)).caller;
}

/** Opens a stream; resolves when the stream has read the log and takes new operations. */
async function open(server: TestServer, caller: Caller, client: Debtor): Promise<void> {
  server.server.openStreams.open({ ...caller, cursor: undefined }, client.sink);
  while (client.pieces.length === 0) await server.server.store.read(async () => {});
  for (let i = 0; i < 3; i++) await server.server.store.read(async () => {});
}

const sendBytes = (from: TestUser, to: string, bytes: number) =>
  from.client.TalkService.sendMessage(0, {
    to,
    text: 'large',
    contentType: 0,
    contentMetadata: { X: 'x'.repeat(bytes) },
  });

test('streams of one account hold the same bytes of an operation, live and after a wake-up', async () => {
  const server = await startServer();
  try {
    const [alice, bob] = [await server.user('alice'), await server.user('bob')];
    const caller = await callerOf(server, bob);
    const clients = Array.from({ length: 3 }, debtor);
    for (const client of clients) await open(server, caller, client);
    await alice.client.sendText(bob.mid, 'hello');
    const [first] = clients as [Debtor];
    const shared = first.pieces.at(-1) as Buffer;
    assert.match(shared.toString(), /hello/);
    assert.equal(shared.buffer.byteLength, shared.length, 'no larger piece of memory is held with it');
    for (const { pieces } of clients) assert.equal(pieces.at(-1), shared);

    // The operations come from another server, so all streams read the log at the same moment.
    const { store, openStreams } = server.server;
    const elsewhere = createOperationLog(systemPorts.clock, () => {});
    const { accountId } = caller;
    await store.transact((tx) =>
      elsewhere.lockAndAppend(tx, [
        { accountId, to: 'self', type: 'ADD_CONTACT', params: { mid: 'elsewhere', flags: 0 } },
      ]),
    );
    openStreams.wake(accountId);
    while (clients.some(({ pieces }) => pieces.at(-1) === shared)) await store.read(async () => {});
    const woken = first.pieces.at(-1) as Buffer;
    assert.match(woken.toString(), /elsewhere/);
    for (const { pieces } of clients) assert.equal(pieces.at(-1), woken);
  } finally {
    await server.close();
  }
});

test('all streams together hold no more than the setting: those that owe most are cut, the others stay', async () => {
  const server = await startServer({ flags: { 'stream-bytes': String(MOST) } });
  try {
    const { openStreams } = server.server;
    const alice = await server.user('alice');
    const readers: { user: TestUser; client: Debtor }[] = [];
    for (let i = 0; i < 8; i++) {
      const reader = { user: await server.user('reader'), client: debtor() };
      await open(server, await callerOf(server, reader.user), reader.client);
      readers.push(reader);
    }
    // After these sends, the sum of unread bytes is just below the limit.
    for (const [i, { user }] of readers.entries()) await sendBytes(alice, user.mid, 100_000 + i * 6_000);
    const owed = () => readers.map(({ client }) => client.sink.unread());
    const sum = () => owed().reduce((all, bytes) => all + bytes, 0);
    assert.ok(sum() > 0.9 * MOST && sum() <= MOST, `${sum()} bytes`);
    assert.equal(openStreams.unread(), sum());
    assert.equal(openStreams.size, 8);

    const cut = () => readers.flatMap(({ client }, i) => (client.isCut ? [i] : []));
    const send = (i: number, bytes: number) => sendBytes(alice, (readers[i] as (typeof readers)[0]).user.mid, bytes);
    await send(0, 100_000);
    // Reader 0 now has 200,000 unread bytes, more than any other, so it is cut off.
    assert.deepEqual([cut(), openStreams.size], [[0], 7]);
    assert.ok(sum() <= MOST && openStreams.unread() === sum());
    await send(1, 20_000);
    await send(2, 130_000);
    assert.deepEqual([cut(), openStreams.size], [[0], 7], 'below the sum nobody is cut');
    await send(3, 100_000);
    assert.deepEqual([cut(), openStreams.size], [[0, 2], 6]);
    assert.ok(sum() <= MOST && openStreams.unread() === sum());

    // A stream that the server has ended still counts until its client has read everything. Until then, the server can
    // cut the stream off.
    const ending = readers[3];
    const { accountId, sessionId } = await callerOf(server, (ending as (typeof readers)[0]).user);
    openStreams.closeSession(accountId, sessionId, Buffer.from('event: reconnect\ndata: {}\n\n'));
    assert.deepEqual([ending?.client.hasEnded, openStreams.size], [true, 5]);
    assert.equal(openStreams.unread(), sum());
    for (const i of [4, 5, 6]) await send(i, 60_000);
    assert.deepEqual([cut(), openStreams.size], [[0, 2, 3], 5]);
    assert.ok(sum() <= MOST && openStreams.unread() === sum());
  } finally {
    await server.close();
  }
});

test('the unread bytes of real connections are bounded as well, and freed when the connections end', async () => {
  const server = await startServer({ flags: { 'stream-bytes': String(MOST) } });
  try {
    const { openStreams } = server.server;
    const [alice, bob] = [await server.user('alice'), await server.user('bob')];
    const token = bob.client.session?.tokens.accessToken as string;
    const sockets = Array.from({ length: 16 }, () => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write(`GET /api/operation/receive HTTP/1.1\r\nHost: x\r\nX-Svc-Access: ${token}\r\n\r\n`);
      return socket.pause();
    });
    while (openStreams.size < sockets.length) await new Promise(setImmediate);
    const total = async () => Number(/^sealpost_stream_unread_bytes (\d+)$/m.exec(await server.metrics())?.[1]);
    let most = 0;
    // The operating system buffers a few megabytes per connection before bytes wait in the server.
    while (openStreams.size === sockets.length) {
      await sendBytes(alice, bob.mid, 60_000);
      most = Math.max(most, await total());
      assert.ok(most <= MOST, `${most} bytes wait for ${openStreams.size} streams`);
    }
    assert.ok(most > 0);
    for (const socket of sockets) socket.destroy();
    while (openStreams.size > 0 || (await total()) > 0) await new Promise(setImmediate);
  } finally {
    await server.close();
  }
});
