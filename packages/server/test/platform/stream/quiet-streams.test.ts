import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brandHeader } from '@sealpost/contract';
import { startServer } from '@sealpost/dev-env/harness';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import type { Sink } from '../../../src/platform/stream/stream.ts';

const TICK_MS = 5_000;
const TICKS = 12;

test('a stream whose client reads stays open however long it is quiet; one that leaves something unread does not', async () => {
  let ahead = 0;
  const clock = { ...systemPorts.clock, monotonic: () => systemPorts.clock.monotonic() + ahead };
  const server = await startServer({ ports: { clock } });
  const stop = new AbortController();
  try {
    const { openStreams, slices, store } = server.server;
    const alice = await server.user('alice');
    const token = alice.client.session?.tokens.accessToken as string;
    const { caller } = await slices.sessions.load(token);
    const response = await fetch(`${server.url}/api/operation/receive`, {
      headers: { [brandHeader('Svc', 'access')]: token },
      signal: stop.signal,
    });
    const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    const reading = (async () => {
      while (!(await reader.read()).done);
    })().catch(() => {});
    let ended = false;
    const silent: Sink = {
      write: (events) => events.length,
      unread: () => 1,
      drained: async () => {},
      end: () => {
        ended = true;
      },
      cut: () => assert.fail('a single stream is not too much'),
    };
    openStreams.open({ ...caller, cursor: undefined }, silent);
    await store.read(async () => {});
    assert.equal(openStreams.size, 2);
    for (let tick = 0; tick < TICKS; tick++) {
      ahead += TICK_MS;
      openStreams.tick();
      // Once the server has answered this call, it has also sent everything that it wrote before the call.
      await (await fetch(`${server.url}/livez`)).text();
    }
    assert.equal(ended, true);
    assert.equal(openStreams.size, 1);
    stop.abort();
    await reading;
  } finally {
    stop.abort();
    await server.close();
  }
});
