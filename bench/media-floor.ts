// The floor of transfers: a server that only copies bytes to or from a file in a folder, with node:http alone. It
// writes no database rows and never waits for the disk. Uploads to paths below /hashed are hashed while they arrive.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const [, , folder = ''] = process.argv;

const server = createServer(async (request, response) => {
  const file = join(folder, basename(request.url as string));
  if (request.method === 'POST') {
    const hash = request.url?.startsWith('/hashed/') ? createHash('sha256') : undefined;
    if (hash) request.on('data', (piece: Buffer) => hash.update(piece));
    await pipeline(request, createWriteStream(file));
    response.writeHead(201, { 'X-Hash': hash?.digest('hex') ?? 'none' }).end();
  } else {
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
    await pipeline(createReadStream(file), response);
  }
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
