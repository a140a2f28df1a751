// The floor: a server with the least cost that a gateway could have. It uses only node:http. It reads the body of a
// request and checks its HMAC-SHA256. It returns the body, padded to the size of a real answer, and stores nothing.
// A request may name the size of its answer.
import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clientVersion } from '@sealpost/contract';
import { ANSWER_BYTES, BUILD_TOKEN } from './request.ts';

const RESPONSE_BYTES = 700;
const FILLING = Buffer.alloc(2 ** 20, ' ');

// Node 24 takes some 25 µs longer for each HMAC whose key is a Buffer.
const keys = new Map<string, KeyObject>();

function keyFor(accessToken: string): KeyObject {
  let key = keys.get(accessToken);
  if (!key) {
    const bytes = createHmac('sha256', BUILD_TOKEN)
      .update(hash('sha256', clientVersion, 'buffer'))
      .update(hash('sha256', accessToken, 'buffer'))
      .digest();
    key = createSecretKey(bytes);
    keys.set(accessToken, key);
  }
  return key;
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts);
    const signature = createHmac('sha256', keyFor(request.headers['x-svc-access'] as string))
      .update(request.url as string)
      .update(body)
      .digest();
    const given = Buffer.from(request.headers['x-hmac'] as string, 'base64');
    const good = given.length === signature.length && timingSafeEqual(given, signature);
    const length = Number(request.headers[ANSWER_BYTES] ?? RESPONSE_BYTES);
    response.writeHead(good ? 200 : 400, { 'Content-Type': 'application/json', 'Content-Length': length });
    response.end(Buffer.concat([body, FILLING], length));
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
