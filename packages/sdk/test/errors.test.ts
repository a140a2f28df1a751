import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@sealpost/contract';
import { createClient, createRpcClient, NetworkError } from '@sealpost/sdk';
import { refusal } from '../src/gateway/refusal.ts';

test('an exception of a service is known by its name in the contract, with both codes', async () => {
  const error = await refusal('TalkService.getChats', 400, {
    code: 10051,
    message: 'RESPONSE_ERROR',
    data: { name: 'TalkException', code: 10, reason: 'not a member', parameterMap: null },
  });
  assert.equal(error.error, 'NOT_A_MEMBER');
  assert.deepEqual([error.http, error.code, error.talkCode], [400, 10051, 10]);
  assert.equal(error.retry, false);
  assert.match(error.message, /^TalkService.getChats failed: not a member \(NOT_A_MEMBER 10\)\. The caller is not/);
});

test('errors that mirror an HTTP status are told apart by it', async () => {
  const at = (http: number) => refusal('x', http, { code: 10052, message: 'RESPONSE_HTTP_ERROR' });
  assert.equal((await at(404)).error, 'NOT_FOUND_PATH');
  assert.equal((await at(408)).error, 'POLL_TIMEOUT');
  assert.equal((await at(503)).error, 'OVERLOADED');
  assert.equal((await at(503)).retry, true);
});

test('every error of the table is recognised from its answer', async () => {
  for (const [name, entry] of Object.entries(errors)) {
    const data = entry.exception === 'gateway' ? null : { name: entry.exception, code: entry.code, reason: '' };
    const code = entry.exception === 'gateway' ? entry.code : 10051;
    assert.equal((await refusal('x', entry.http, { code, message: '', data })).error, name);
  }
});

test('an unknown error keeps its numbers and is repeated only if the server is at fault', async () => {
  const error = await refusal('x', 502, { message: 'HTTP 502' });
  assert.equal(error.error, undefined);
  assert.equal(error.retry, true);
  assert.equal((await refusal('x', 400, { code: 12345, message: 'new' })).retry, false);
});

test('a failure of the network names the address and the cause', () => {
  const cause = new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) });
  const error = new NetworkError('TalkService.getProfile', 'http://127.0.0.1:1', cause);
  assert.match(error.message, /TalkService.getProfile failed: no answer from http:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\)/);
});

test('an address that is missing or has no scheme is refused when the client is made', () => {
  for (const url of [undefined, '', 'sealpost', 'localhost:8787', 'ftp://localhost', 'http://'])
    for (const create of [createClient, createRpcClient])
      assert.throws(() => create({ url: url as string }), {
        name: 'TypeError',
        message: `\`url\` is "${url}"; it must begin with http:// or https://`,
      });
});
