// Connections that arrive while the server is busy wait for it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { type KillableServer, startKillableServer } from '../crash/killable-server.ts';

const LIMIT = '/proc/sys/net/core/somaxconn';
/** More than the 511 connections that Node lets wait by default. */
const CONNECTIONS = 1200;
const ROOM = existsSync(LIMIT) ? Number(readFileSync(LIMIT, 'utf8')) : 0;
const skip = ROOM < CONNECTIONS && `this system lets only ${ROOM} connections wait`;

let server: KillableServer;
const sockets: Socket[] = [];
before(async () => {
  if (!skip) server = await startKillableServer('sqlite', { 'connections-per-address': '100000' });
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  await server?.close();
});

test('many connections that come while the server stands still are all answered', {
  skip,
  timeout: 120_000,
}, async () => {
  const port = Number(new URL(await server.url()).port);
  process.kill(server.pid, 'SIGSTOP');
  const connected: Promise<void>[] = [];
  const answered: Promise<string>[] = [];
  for (let n = 0; n < CONNECTIONS; n += 1) {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    connected.push(new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject)));
    answered.push(
      new Promise((resolve) => socket.once('data', (data) => resolve(String(data).split('\r\n')[0] ?? ''))),
    );
    socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
  }
  try {
    await Promise.all(connected);
  } finally {
    process.kill(server.pid, 'SIGCONT');
  }
  assert.deepEqual([...new Set(await Promise.all(answered))], ['HTTP/1.1 200 OK']);
});
