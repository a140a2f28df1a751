import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { until } from '@sealpost/dev-env/until';
import { connectNats } from '../../../src/platform/bus/nats.ts';
import { systemPorts } from '../../../src/platform/kernel/system.ts';

const INFO = `INFO ${JSON.stringify({ server_id: 'test', version: '2.10.0', proto: 1, max_payload: 1_048_576, headers: true })}\r\n`;

/** A server that speaks as much of the protocol of NATS as a connection needs. */
async function startNats() {
  const open = new Set<Socket>();
  let refuses = false;
  let refused = 0;
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => {});
    socket.write(INFO);
    socket.on('data', (bytes) => {
      const text = String(bytes);
      if (refuses && text.includes('CONNECT ')) {
        refused += 1;
        return void socket.end("-ERR 'Authorization Violation'\r\n");
      }
      socket.write('PONG\r\n'.repeat(text.split('PING\r\n').length - 1));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `nats://u:p@127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused: () => refused,
    /** Ends all connections. If `refuse` is true, refuses the credentials of new ones. */
    cut(refuse: boolean): void {
      refuses = refuse;
      for (const socket of open) socket.destroy();
    },
    close(): void {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

test('a bus that was refused comes back, and its error is told once', { timeout: 60_000 }, async (t) => {
  const nats = await startNats();
  t.after(nats.close);
  const errors: string[] = [];
  const bus = await connectNats(nats.url, 'test', systemPorts.timers, ({ message }) => errors.push(message));
  await bus.check();
  nats.cut(true);
  await until(() => nats.refused() >= 3, 'NATS refuses the credentials several times');
  nats.cut(false);
  const isBack = () =>
    bus.check().then(
      () => true,
      () => false,
    );
  await until(isBack, 'the bus is back');
  assert.deepEqual(errors, ['Authorization Violation']);
  await bus.close();
});

test('a wake-up while the bus closes is dropped', async (t) => {
  const nats = await startNats();
  t.after(nats.close);
  const bus = await connectNats(nats.url, 'test', systemPorts.timers, () => {});
  let isOver = false;
  const wake = (): void => {
    bus.wake('log', [1]);
    if (!isOver) setImmediate(wake);
  };
  wake();
  await bus.close();
  isOver = true;
});
