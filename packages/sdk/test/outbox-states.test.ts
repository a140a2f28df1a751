import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failed, lost, queued, renewed, retried, tried, withdrawn } from '../src/outbox/states.ts';

const to = `u${'1'.repeat(32)}`;
const row = queued({ to, text: 'hello', contentType: 0 }, {}, { position: 7, reqSeq: 20, now: 1000 });
const outgoing = { to, text: 'hello' };
const sending = tried(row, { outgoing, sealed: false }, { time: 2000, session: 's', after: '0' });
const failure = { reason: 'NOT_FOUND', text: 'there is no such user' };

test('a new message has its id, its time and its number, and keeps them while it is sent', () => {
  assert.deepEqual([row.localId, row.content.createdTime, row.reqSeq, row.state], ['local-7', '1000', 20, 'queued']);
  assert.deepEqual([sending.localId, sending.reqSeq, sending.state], ['local-7', 20, 'sending']);
  assert.equal(sending.prepared?.outgoing, outgoing);
});

test('refused bytes are dropped, and the number of the request stays', () => {
  const next = renewed(sending);
  assert.deepEqual([next?.state, next?.reqSeq, next?.renewals], ['queued', 20, 1]);
  assert.deepEqual([next?.prepared, next?.firstAttempt], [undefined, undefined]);
});

test('lost bytes go out as another request', () => {
  const next = lost(sending, 21);
  assert.deepEqual(
    [next?.state, next?.reqSeq, next?.prepared, next?.firstAttempt],
    ['queued', 21, undefined, undefined],
  );
});

test('a failed message can be tried again with another number and in another mode; no other message can', () => {
  const refused = failed(sending, failure);
  assert.deepEqual([refused?.state, refused?.failure], ['failed', failure]);
  assert.ok(refused);
  const next = retried({ ...refused, renewals: 3 }, 22, 'plain');
  assert.deepEqual([next.state, next.reqSeq, next.mode, next.renewals], ['queued', 22, 'plain', 0]);
  assert.deepEqual([next.failure, next.prepared, next.firstAttempt], [undefined, undefined, undefined]);
  assert.equal(retried(sending, 22), sending);
});

test('a message that was not tried goes at once when it is taken back, one that may have arrived stays', () => {
  assert.equal(withdrawn(row, 9), undefined);
  assert.equal(withdrawn({ ...row, state: 'failed', failure }, 9), undefined);
  assert.equal(withdrawn(sending, 9)?.takenBack, 9);
});

test('a message that was taken back leaves as soon as it is certain that it did not arrive', () => {
  const taken = withdrawn(sending, 9);
  assert.ok(taken);
  assert.deepEqual([renewed(taken), lost(taken, 21), failed(taken, failure)], [undefined, undefined, undefined]);
});
