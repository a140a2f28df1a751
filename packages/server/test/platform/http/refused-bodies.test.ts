// Requests that are refused while their bodies still arrive: the client must be able to read the reason.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { pathOf } from '@sealpost/contract';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';
import { watchedTimers } from '@sealpost/dev-env/watched-timers';

const PIECE = Buffer.alloc(64 * 1024, 'x');
const MB = 1e6;

/**
 * Milliseconds for which the server reads the rest of a refused body. In these tests, time passes only when the test
 * says so.
 */
const DROPPED_MS = 5_000;

describe('refused bodies', () => {
  const watched = watchedTimers();
  let server: TestServer;
  let others: number;
  before(async () => {
    server = await startServer({ ports: { timers: watched.timers } });
    others = watched.count(DROPPED_MS);
    watched.hold(DROPPED_MS);
  });
  after(() => server.close());

  const upload = () => `/r/talk/emf/reqid-${randomUUID()}`;

  function open(path: string, length: number): Socket {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(`POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: ${length}\r\n\r\n`);
    return socket;
  }
  /** Sends bytes without reading the answer, as most clients do. Returns how many bytes the server took. */
  async function send(socket: Socket, bytes: number): Promise<number> {
    let sent = 0;
    const gone = once(socket, 'close').catch(() => {});
    socket.on('error', () => {});
    while (sent < bytes && !socket.destroyed) {
      const piece = PIECE.subarray(0, Math.min(PIECE.length, bytes - sent));
      await Promise.race([new Promise((resolve) => socket.write(piece, resolve)), gone]);
      sent += piece.length;
    }
    return sent;
  }
  async function answerOn(socket: Socket): Promise<string> {
    let text = '';
    for await (const part of socket) text += part;
    return text;
  }

  for (const [what, path, code] of [
    ['an upload without a login', upload, 10004],
    ['a call with a body that is too large', () => pathOf('TalkService.sendMessage'), 10052],
    ['an upload to a place that is none', () => '/r/talk', 10052],
  ] as const) {
    test(`${what}: a client that sends all of its body first reads the refusal all the same`, async () => {
      const socket = open(path(), 16 * MB);
      assert.equal(await send(socket, 16 * MB), 16 * MB);
      const text = await answerOn(socket);
      assert.match(text, /^HTTP\/1\.1 4\d\d /);
      assert.match(text, /connection: close/i);
      const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n'))) as { code: number };
      assert.equal(body.code, code, text);
    });
  }

  test('a client that never ends is not read for ever', async () => {
    const socket = open(upload(), 1000 * MB);
    assert.ok((await send(socket, 200 * MB)) < 200 * MB);
  });

  test('a client that stops in the middle is let go', async () => {
    const socket = open(upload(), MB);
    await until(() => watched.count(DROPPED_MS) > others, 'the server waits for the rest of the body');
    watched.fire(DROPPED_MS);
    assert.match(await answerOn(socket), /^HTTP\/1\.1 401 /);
  });
});
