// `sealpost listen --forward-to`: what counts as the delivery of an operation to a program.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { OpenedOperation } from '@sealpost/sdk';
import { forward } from '../src/forward.ts';

test('only an answer from 200 to 299 is a delivery, not what a redirect leads to', async (t) => {
  const asked: string[] = [];
  const statuses = [302, 204];
  const program = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const status = request.url === '/' ? (statuses.shift() ?? 500) : 200;
    response.writeHead(status, { Location: '/login' }).end();
  });
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
  t.after(() => program.close());
  const url = `http://127.0.0.1:${(program.address() as AddressInfo).port}/`;
  const notes: string[] = [];
  const output = { json: false, print() {}, note: (text: string) => void notes.push(text) };
  const operation = { revision: '7' } as OpenedOperation;
  assert.equal(await forward(url, operation, { signal: new AbortController().signal, output }), true);
  assert.deepEqual(asked, ['POST /', 'POST /']);
  assert.deepEqual(notes, [`${url} did not take revision 7 (HTTP 302). Trying again in 1 s.`]);
});
