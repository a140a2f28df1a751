import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@sealpost/contract';
import { startServer } from '@sealpost/dev-env/harness';

const MESSAGES = 40;
const SIZE = 200_000;

test('missed operations are read as fast as the client takes them: one piece at a time, however many there are', async () => {
  const server = await startServer();
  try {
    const alice = await server.user('alice');
    const { caller } = await server.server.slices.sessions.load(alice.client.session?.tokens.accessToken as string);
    const message = { to: alice.mid, text: 'large', contentType: 0, contentMetadata: { X: 'x'.repeat(SIZE) } } as const;
    for (let i = 0; i < MESSAGES; i++) await alice.client.TalkService.sendMessage(i + 2, message);
    let unread = 0;
    let most = 0;
    let pieces = 0;
    let events = 0;
    let ended = false;
    let taken: (() => void) | undefined;
    const stream = server.server.openStreams.open(
      { ...caller, cursor: 0 },
      {
        write: (bytes) => {
          unread += bytes.length;
          most = Math.max(most, unread);
          events += bytes.toString('latin1').split('\n\n').length - 1;
          return unread;
        },
        unread: () => unread,
        drained: () =>
          new Promise((resolve) => {
            taken = resolve;
          }),
        end: () => {
          ended = true;
        },
        cut: () => assert.fail('a single stream is not too much'),
      },
    );
    const aRead = () => server.server.store.read(async () => {});
    while (events < MESSAGES + 1 && !ended) {
      await aRead();
      if (!taken) continue;
      const before = events;
      // If the stream read the log without waiting for the client, `events` would grow during these reads.
      for (let i = 0; i < 5; i++) await aRead();
      assert.equal(events, before, 'one piece is on its way');
      pieces += 1;
      unread = 0;
      const next = taken;
      taken = undefined;
      next();
    }
    assert.equal(ended, false, 'a client that reads slowly stays');
    assert.ok(pieces > MESSAGES / 2, `${pieces} pieces`);
    assert.ok(most < limits.streamBufferBytes.value + SIZE, `${most} bytes were kept for the client`);
    stream.close();
  } finally {
    await server.close();
  }
});
