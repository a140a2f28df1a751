// What the floors share: a server of node:http that reads the body of a request and checks its HMAC-SHA256.
import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clientVersion } from '@sealpost/contract';
import { BUILD_TOKEN } from './request.ts';

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

export const accessTokenOf = (request: IncomingMessage): string => request.headers['x-svc-access'] as string;

function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const signature = createHmac('sha256', keyFor(accessTokenOf(request)))
    .update(request.url as string)
    .update(body)
    .digest();
  const given = Buffer.from(request.headers['x-hmac'] as string, 'base64');
  return given.length === signature.length && timingSafeEqual(given, signature);
}

export function answer(response: ServerResponse, status: number, body: Buffer | string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  response.end(body, 'latin1');
}

/** Serves requests, and tells the parent process the port. A request without a right signature is refused. */
export function serveSigned(take: (request: IncomingMessage, response: ServerResponse, body: Buffer) => void): void {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      if (isSigned(request, body)) take(request, response, body);
      else answer(response, 400, body);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}
