// A fault of the server while it looks for the endpoint of a request: the request fails, and the server goes on.
import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { requestListener } from '../../../src/platform/http/connections.ts';

const faults: unknown[] = [];
let server: Server;
let url: string;

before(async () => {
  const gateway: Parameters<typeof requestListener>[0] = (request, response) => {
    if (request.url === '/throws') throw new TypeError('made to fail');
    if (request.url !== '/begins') return false;
    response.writeHead(200).write('a part');
    throw new TypeError('made to fail in the middle');
  };
  const listener: RequestListener = (_request, response) => void response.end('served');
  const refusalAt = (_path: string, status: number, reason: string) => ({
    type: 'application/json',
    body: JSON.stringify({ status, reason }),
  });
  const listen = requestListener(gateway, { listener, refusalAt }, undefined, (error) => faults.push(error));
  server = createServer(listen).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => new Promise((resolve) => server.close(resolve)));

test('a request that makes the server throw is answered 500 without details, and the next one is served', async () => {
  const answer = await fetch(`${url}/throws`);
  assert.deepEqual([answer.status, answer.headers.get('connection')], [500, 'close']);
  assert.deepEqual(await answer.json(), { status: 500, reason: 'the server failed; its log tells why' });
  assert.match(String(faults.splice(0)), /made to fail/);
  assert.equal(await (await fetch(`${url}/`)).text(), 'served');
});

test('an answer that has begun is cut off', async () => {
  await assert.rejects(async () => (await fetch(`${url}/begins`)).text());
  assert.match(String(faults.splice(0)), /in the middle/);
  assert.equal(await (await fetch(`${url}/`)).text(), 'served');
});
