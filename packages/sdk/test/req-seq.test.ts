import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualTime } from '@sealpost/dev-env/virtual-time';
import { createReqSeq } from '../src/gateway/req-seq.ts';

test('request sequence numbers start from the time and rise by one', () => {
  const next = createReqSeq(virtualTime(1_700_000_123_456));
  assert.deepEqual([next(), next(), next()], [123_456, 123_457, 123_458]);
});

test('request sequence numbers are never 0 or 1, which are not idempotency keys', () => {
  const next = createReqSeq(virtualTime(1_700_000_000_000));
  assert.deepEqual([next(), next()], [2, 3]);
});
