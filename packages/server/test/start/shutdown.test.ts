// The order in which a server shuts down. The parts of the server are played by the test.
import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { test } from 'node:test';
import { virtualTime } from '@sealpost/dev-env/virtual-time';
import { pino } from 'pino';
import { type ShutdownDeps, shutDown } from '../../src/start/shutdown.ts';

const STREAMS = 3;

/** Shuts a server down, and returns what happened, in order, each with its milliseconds. */
async function happenings(options: Pick<ShutdownDeps, 'drainMs' | 'othersServe'>): Promise<string[]> {
  const time = virtualTime(0);
  const seen: string[] = [];
  const note = (what: string): void => void seen.push(`${what} ${time.monotonic()}`);
  let open = STREAMS;
  const openStreams = {
    get size() {
      return open;
    },
    async closeAll(_reason: Buffer, pause: () => Promise<void>) {
      for (; open > 0; open -= 1) {
        note('stream');
        await pause();
      }
    },
  };
  const http = {
    close(done: () => void) {
      note('port');
      done();
    },
    closeIdleConnections() {},
    closeAllConnections() {},
  };
  const parts = {
    openStreams,
    http: http as unknown as Server,
    polls: { endAll: () => note('polls') },
    subscribers: { close: async () => note('subscribers') },
    slices: { login: { endPolls() {} } },
    upkeep: { cancel() {} },
    release: async () => note('end'),
    ports: { ...time, clock: time },
    logger: pino({ level: 'silent' }),
  };
  const done = shutDown({ ...options, ...parts } as unknown as ShutdownDeps);
  await time.advance(60_000);
  await done;
  return seen;
}

test('a server that drains takes calls and tells whose streams are open until its last stream has ended', async () => {
  assert.deepEqual(await happenings({ drainMs: 8_000, othersServe: false }), [
    ...['stream 0', 'stream 2000', 'stream 4000'],
    ...['subscribers 8000', 'polls 8000', 'port 8000', 'end 8000'],
  ]);
});

test('a process whose successor takes connections closes its port before it drains', async () => {
  const [first, ...others] = await happenings({ drainMs: 8_000, othersServe: true });
  assert.equal(first, 'port 0');
  assert.deepEqual(others.slice(0, 2), ['stream 0', 'stream 2000']);
});

test('a server without a drain ends its streams one after another, after its subscribers', async () => {
  assert.deepEqual(await happenings({ drainMs: 0, othersServe: false }), [
    ...['subscribers 0', 'polls 0', 'port 0'],
    ...['stream 0', 'stream 8', 'stream 15', 'end 23'],
  ]);
});
