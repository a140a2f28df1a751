// Clients that ask for large answers and do not read them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startServer, type TestUser } from '@sealpost/dev-env/harness';
import { createUnreadAnswers } from '../../../src/platform/rpc/unread-answers.ts';

const MIB = 2 ** 20;
const GET = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/** Returns a call of the client as it goes over the wire. */
async function wireOf(call: () => Promise<unknown>): Promise<string> {
  const real = globalThis.fetch;
  let wire = '';
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const body = await request.clone().text();
    const headers = [...request.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const { pathname } = new URL(request.url);
    wire = `${request.method} ${pathname} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    return real(input, init);
  };
  try {
    await call();
  } finally {
    globalThis.fetch = real;
  }
  return wire;
}

function ask(url: string, wire: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  socket.write(wire);
  return socket;
}

/** Reads all that is left of an answer. Returns the number of its bytes. */
async function rest(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on('data', ({ length }: Buffer) => {
    bytes += length;
  });
  if (!socket.closed) await once(socket, 'close');
  return bytes;
}

test('all answers together leave no more unread than the setting answer-bytes; the others arrive whole', async () => {
  const most = 64 * MIB;
  const server = await startServer({ flags: { 'answer-bytes': String(most) } });
  try {
    const alice = await server.user('alice');
    const size = await fillOwnChat(alice, 400);
    const wire = await wireOf(() => alice.client.TalkService.getRecentMessagesV2(alice.mid, 400));
    const sockets = Array.from({ length: 8 }, () => ask(server.url, wire));
    await Promise.all(sockets.map((socket) => once(socket, 'readable')));
    const whole = (await Promise.all(sockets.map(rest))).filter((bytes) => bytes > size);
    assert.equal(whole.length, Math.floor(most / size));
  } finally {
    await server.close();
  }
});

/** Sends oneself messages. Returns how many bytes an answer with all of them has at least. */
async function fillOwnChat({ client, mid }: TestUser, count: number): Promise<number> {
  const contentMetadata = { X: 'x'.repeat(32_000) };
  for (let i = 0; i < count; i++) {
    await client.TalkService.sendMessage(0, { to: mid, text: 'large', contentType: 0, contentMetadata });
  }
  return count * 32_000;
}

test('a client that takes nothing of an answer for some time is disconnected, a slow one is not', async (t) => {
  const answers = createUnreadAnswers(1024 * MIB, 1_000);
  const body = ' '.repeat(16 * MIB);
  const server = createServer((_, response) => answers.write(response, body, ['Connection', 'close']));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [silent, slow] = [ask(url, GET), ask(url, GET)];
  await Promise.all([once(silent, 'readable'), once(slow, 'readable')]);
  let bytes = 0;
  while (bytes < body.length && !slow.closed) {
    bytes += (slow.read() as Buffer | null)?.length ?? 0;
    await pause(20);
  }
  assert.ok(bytes >= body.length, `${bytes} bytes`);
  slow.destroy();
  assert.ok((await rest(silent)) < body.length);
});
