// A listener that throws, or rejects, is reported, and disturbs nobody.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type Client, createClient, KeyTrustError, memoryStore, type Session } from '@sealpost/sdk';
import { Listeners } from '../src/listeners.ts';
import { createTrustEvents } from '../src/trust/trust-events.ts';

const me = `u${'1'.repeat(32)}`;
const session: Session = {
  mid: me,
  tokens: {
    accessToken: 'a',
    refreshToken: 'r',
    durationUntilRefreshInSec: '600',
    tokenIssueTimeEpochSec: String(Math.floor(Date.now() / 1000)),
    loginSessionId: 's',
    refreshApiRetryPolicy: { initialDelayInMillis: '1', maxDelayInMillis: '2', multiplier: 1, jitterRate: 0 },
  },
};
const bug = new Error('a bug in a listener');

test('the others are told, and errors are reported, also those of async listeners', async () => {
  const failed: unknown[] = [];
  const told: string[] = [];
  const listeners = new Listeners<string>((error) => failed.push(error));
  listeners.add(() => {
    throw bug;
  });
  listeners.add(async () => Promise.reject(bug));
  const remove = listeners.add((value) => told.push(value));
  listeners.tell('one');
  await setImmediate();
  assert.deepEqual([told, failed], [['one'], [bug, bug]]);
  remove();
  listeners.tell('two');
  assert.deepEqual(told, ['one']);
});

test('an alarm about a key keeps its error when a listener of alarms throws', async () => {
  const failed: unknown[] = [];
  const events = createTrustEvents((error) => failed.push(error));
  events.listen(() => {
    throw bug;
  });
  const alarm = new KeyTrustError('not-in-log', 'the key 7 is not in the log');
  await assert.rejects(
    events.alarmed(() => Promise.reject(alarm)),
    (error) => error === alarm,
  );
  assert.deepEqual(failed, [bug]);
});

describe('a client whose listeners throw', () => {
  let client: Client;
  let failed: unknown[];
  beforeEach(async () => {
    failed = [];
    const store = memoryStore();
    await store.session.save(session);
    client = createClient({
      url: 'http://127.0.0.1:9',
      store,
      fetch: () => Promise.reject(new TypeError('no connection')),
      onListenerError: (error) => failed.push(error),
    });
    await client.open();
  });
  afterEach(() => client.close());

  test('keeps what was committed, tells the other listeners, and the caller does not fail', async () => {
    const drafts: (string | undefined)[] = [];
    client.replica.onChange(() => {
      throw bug;
    });
    client.replica.onChange(() => drafts.push(client.replica.chat(me)?.draft?.text));
    await client.replica.setDraft(me, { text: 'to be continued' });
    assert.deepEqual(drafts, ['to be continued']);
    const localId = await client.messaging.queueText(me, 'a note');
    assert.deepEqual(
      client.outbox.all().map((row) => row.localId),
      [localId],
    );
    assert.ok(failed.length >= 2 && failed.every((error) => error === bug));
  });

  test('tells that there is no connection, also when one of its listeners throws', async () => {
    const heard = Promise.withResolvers<string>();
    client.onConnection(() => {
      throw bug;
    });
    client.onConnection(({ state }) => heard.resolve(state));
    assert.equal(await heard.promise, 'degraded');
    assert.equal(failed[0], bug);
  });
});
