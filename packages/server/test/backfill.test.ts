import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@sealpost/contract';
import { startServer } from './harness.ts';

const MESSAGES = 40;
const SIZE = 200_000;

test('a client that does not read what it missed costs the server a few messages of memory, not all of them', async () => {
  const server = await startServer();
  try {
    const alice = await server.user('alice');
    const { caller } = await server.server.slices.sessions.load(alice.client.session?.tokens.accessToken as string);
    const message = { to: alice.mid, text: 'large', contentType: 0, contentMetadata: { X: 'x'.repeat(SIZE) } } as const;
    for (let i = 0; i < MESSAGES; i++) await alice.client.TalkService.sendMessage(i + 2, message);
    let unread = 0;
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    server.server.outbox.open(
      { ...caller, cursor: 0 },
      {
        write: (events) => (unread += events.length),
        unread: () => unread,
        drained: () => ended,
        end,
      },
    );
    await ended;
    assert.ok(unread > limits.streamBufferBytes.value && unread < 10 * SIZE, `${unread} bytes were kept`);
  } finally {
    await server.close();
  }
});
