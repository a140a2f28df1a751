// A call that queues a message has a cause of its own, so that it may be made twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withCause } from '../src/chat/client/causes.ts';

test('a text with options keeps them, and one without gets some', () => {
  assert.deepEqual(withCause('messaging.queueText', ['u1', 'hi', { replyTo: '5' }], 'page 1')?.args, [
    'u1',
    'hi',
    { replyTo: '5', cause: 'page 1' },
  ]);
  assert.deepEqual(withCause('messaging.queueText', ['u1', 'hi'], 'page 2')?.args, ['u1', 'hi', { cause: 'page 2' }]);
});

test('a message of another kind has its options in the second place', () => {
  assert.deepEqual(withCause('messaging.queue', [{ to: 'u1' }], 'page 3')?.args, [{ to: 'u1' }, { cause: 'page 3' }]);
});

test('a call that queues nothing stays as it is', () => {
  assert.equal(withCause('messaging.unsend', ['7'], 'page 4'), undefined);
});
