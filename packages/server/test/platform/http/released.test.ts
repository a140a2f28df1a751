// Connections that leave the HTTP server for a response that lasts for hours.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { brandHeader, httpPaths } from '@sealpost/contract';
import { startServer } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';
import { type Connection, onConnectionEnd, release } from '../../../src/platform/http/released.ts';

const requestOf = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

interface Opened {
  readonly server: Server;
  readonly socket: Socket;
  /** Everything that the client has received. */
  received(): string;
}

/** Starts a server, and a client that reads everything unless it is paused. */
async function open(t: TestContext, answer: (response: ServerResponse, path: string) => void): Promise<Opened> {
  const server = createServer((request, response) => answer(response, request.url as string));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  t.after(() => {
    socket.destroy();
    server.close().closeAllConnections();
  });
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  return { server, socket, received: () => received };
}

function releasedWith(response: ServerResponse): Connection {
  response.useChunkedEncodingByDefault = false;
  response.writeHead(200, ['Connection', 'close']).flushHeaders();
  return release(response);
}

const countOf = (server: Server): Promise<number> => promisify(server.getConnections.bind(server))();

test('a released connection goes on when the HTTP server closes all of its connections', async (t) => {
  let connection: Connection | undefined;
  const { server, socket, received } = await open(t, (response) => {
    connection = releasedWith(response);
  });
  socket.write(requestOf('/'));
  await until(() => connection !== undefined, 'the request arrived');
  server.closeAllConnections();
  connection?.write('first ');
  await until(() => received().endsWith('first '), 'the first words arrived');
  connection?.end('last');
  await once(socket, 'close');
  assert.match(received(), /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nfirst last$/);
});

test('the server counts a released connection once, and waits for its end', async (t) => {
  let connection: Connection | undefined;
  const { server, socket } = await open(t, (response) => {
    connection = releasedWith(response);
  });
  socket.write(requestOf('/'));
  await until(() => connection !== undefined, 'the request arrived');
  assert.equal(await countOf(server), 1);
  let closed = false;
  server.close(() => {
    closed = true;
  });
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  assert.equal(closed, false);
  connection?.end();
  await until(() => closed, 'the server is closed');
});

test('what the client sends after its request is not read as another one', async (t) => {
  const paths: string[] = [];
  let connection: Connection | undefined;
  const { socket, received } = await open(t, (response, path) => {
    paths.push(path);
    connection = releasedWith(response);
  });
  socket.write(requestOf('/stream'));
  await until(() => connection !== undefined, 'the request arrived');
  socket.write(requestOf('/second'));
  connection?.write('event');
  await until(() => received().endsWith('event'), 'the event arrived');
  connection?.end();
  await once(socket, 'close');
  assert.deepEqual(paths, ['/stream']);
});

test('the end of a connection is told once, and not when the connection is released', async (t) => {
  let ends = 0;
  let connection: Connection | undefined;
  const { socket } = await open(t, (response) => {
    onConnectionEnd(response.socket as Socket, () => {
      ends += 1;
    });
    connection = releasedWith(response);
    connection.on('error', () => {});
  });
  socket.write(requestOf('/'));
  await until(() => connection !== undefined, 'the request arrived');
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  assert.equal(ends, 0);
  socket.end();
  await until(() => ends > 0, 'the end was told');
  assert.deepEqual([ends, connection?.destroyed], [1, true]);
});

test('a response that must wait for another one on its connection keeps it', async (t) => {
  const MANY = 20_000_000;
  const released: Connection[] = [];
  const { socket, received } = await open(t, (response, path) => {
    if (path === '/before') response.setHeader('Content-Length', MANY).end('x'.repeat(MANY));
    else {
      const connection = releasedWith(response);
      released.push(connection);
      assert.equal(connection, response);
      connection.end('after');
    }
  });
  socket.pause();
  socket.write(requestOf('/before') + requestOf('/stream'));
  await until(() => released.length === 1, 'both requests arrived');
  socket.resume();
  await once(socket, 'close');
  const [, before, after] = received().split(/HTTP\/1\.1 200 OK\r\n/);
  assert.match(before as string, /x$/);
  assert.match(after as string, /\r\n\r\nafter$/);
});

test('a response whose head is not written yet keeps its connection', async (t) => {
  const { socket, received } = await open(t, (response) => {
    const own = response.socket as Socket;
    Object.defineProperty(own, 'writableLength', { value: 1, configurable: true });
    const connection = releasedWith(response);
    Reflect.deleteProperty(own, 'writableLength');
    assert.equal(connection, response);
    connection.end('all');
  });
  socket.write(requestOf('/'));
  await once(socket, 'close');
  assert.match(received(), /\r\n\r\nall$/);
});

test('streams count among the connections of their address until they end', async (t) => {
  const MOST = 20;
  const server = await startServer({ flags: { 'connections-per-address': String(MOST) } });
  const sockets: Socket[] = [];
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await server.close();
  });
  const user = await server.user('ann');
  const { hostname, port } = new URL(server.url);
  const token = user.client.session?.tokens.accessToken;
  const headers = `Host: ${hostname}\r\n${brandHeader('Svc', 'access')}: ${token}\r\n`;
  /** Returns the socket of a stream; undefined if the server closed the connection. */
  const follow = async (): Promise<Socket | undefined> => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {}).write(`GET ${httpPaths.operationReceive} HTTP/1.1\r\n${headers}\r\n`);
    const answer = await new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
    if (!Buffer.isBuffer(answer)) return undefined;
    assert.match(String(answer), /^HTTP\/1\.1 200 /);
    sockets.push(socket);
    return socket;
  };
  // The client of the account has connections of its own.
  await Promise.all(Array.from({ length: MOST + 1 }, follow));
  assert.ok(sockets.length > 1 && sockets.length <= MOST, `${sockets.length} streams were accepted`);
  assert.equal(await follow(), undefined);
  sockets[0]?.destroy();
  await until(async () => (await follow()) !== undefined, 'another stream is accepted once one has ended');
});

/** Makes the parser of a socket call a function when it has handed over the last headers of its next request. */
function atLastHeaders(socket: Socket, run: () => void): void {
  // Node has no documented way to see this. Its parser hands over 32 headers at a time, and the rest at the end.
  const ON_HEADERS = 1;
  const parser: Record<number, (headers: readonly string[], url: string) => void> = Reflect.get(socket, 'parser');
  const tell = parser[ON_HEADERS] as (headers: readonly string[], url: string) => void;
  parser[ON_HEADERS] = (headers, url) => {
    tell.call(parser, headers, url);
    if (headers.includes('X-Last')) run();
  };
}

test('a connection may be released while its parser reads a further request', async (t) => {
  const paths: string[] = [];
  const { socket, received } = await open(t, (response, path) => {
    paths.push(path);
    if (path === '/') atLastHeaders(response.socket as Socket, () => releasedWith(response).write('event'));
  });
  const many = Array.from({ length: 40 }, (_, number) => `X-${number}: many\r\n`).join('');
  socket.write(`${requestOf('/')}GET /second HTTP/1.1\r\nHost: localhost\r\n${many}X-Last: 1\r\n\r\n`);
  await until(() => received().endsWith('event'), 'the event arrived');
  assert.deepEqual(paths, ['/', '/second']);
});

test('a connection may be released at once, whatever the client sends behind its request', async (t) => {
  const many = Array.from({ length: 40 }, (_, number) => `X-${number}: many\r\n`).join('');
  const post = 'POST /post HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody';
  for (const behind of [
    requestOf('/get'),
    requestOf('/get').replace('\r\n\r\n', `\r\n${many}\r\n`),
    post + post,
    'CONNECT /connect HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'not HTTP at all\r\n\r\n',
  ]) {
    const { socket, received } = await open(t, (response, path) => {
      if (path === '/') releasedWith(response).write('event');
    });
    socket.write(requestOf('/') + behind);
    await until(() => received().endsWith('event'), `the event arrived before ${behind}`);
  }
});

test('the end of a connection that ends right after its release is told once', async (t) => {
  let ends = 0;
  const { socket } = await open(t, (response) => {
    onConnectionEnd(response.socket as Socket, () => {
      ends += 1;
    });
    // An immediate of an immediate runs after the connection has closed.
    setImmediate(() => releasedWith(response).destroy());
  });
  socket.on('error', () => {}).write(requestOf('/'));
  await until(() => ends > 0, 'the end was told');
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  assert.equal(ends, 1);
});
