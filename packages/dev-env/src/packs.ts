// Makes sticker packs for tests. Pictures have one pixel, and zips are made in memory.
import { buffer } from 'node:stream/consumers';
import { crc32, deflateSync } from 'node:zlib';
import { adminEndpoints, adminRoot } from '@sealpost/contract/admin';
import { ZipFile } from 'yazl';
import type { TestServer } from './harness.ts';
import { operator } from './people.ts';

export interface ImportedPack {
  readonly id: string;
  readonly pictures: readonly { readonly id: string; readonly text: string }[];
  readonly zip: Buffer;
}

interface PictureOptions {
  readonly width?: number;
  readonly comment?: string;
  readonly animated?: boolean;
}

/** Returns a small PNG whose bytes depend on the name. */
export function pngOf(name: string, { width = 1, comment, animated = false }: PictureOptions = {}): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(1, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const colour = Buffer.alloc(4);
  colour.writeUInt32BE(crc32(name));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...(animated ? [chunk('acTL', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]))] : []),
    ...(comment ? [chunk('tEXt', Buffer.from(`Comment\0${comment}`))] : []),
    chunk('IDAT', deflateSync(Buffer.concat([Buffer.from([0]), colour.subarray(0, 3)]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export function zipOf(files: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(bytes, name);
  zip.end();
  return buffer(zip.outputStream as NodeJS.ReadableStream);
}

/** Uploads a pack through the admin API. */
export const postPack = (server: TestServer, zip: Uint8Array, query = ''): Promise<Response> =>
  fetch(server.url + adminRoot + adminEndpoints.importProduct.path + query, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.adminToken}`, 'Content-Type': 'application/zip' },
    body: new Uint8Array(zip),
  });

interface PackOptions {
  readonly name?: string;
  readonly kind?: string;
  readonly pictures?: readonly string[];
  readonly texts?: readonly string[];
  readonly nameText?: { readonly maxCharacters: number };
}

/**
 * Imports a sticker pack. `pictures` lists the names of its pictures. Pictures that are not in `files` are generated.
 */
export async function importPack(
  server: TestServer,
  { pictures = [], texts = [], ...rest }: PackOptions,
  files: Readonly<Record<string, Buffer>> = {},
): Promise<ImportedPack> {
  const made = Object.fromEntries(pictures.map((name) => [`${name}.png`, pngOf(`${rest.name} ${name}`)]));
  const described = {
    author: 'A test',
    kind: 'stickers',
    ...rest,
    pictures: pictures.map((name, i) => ({ file: `${name}.png`, text: texts[i] ?? `[${name}]` })),
  };
  const zip = await zipOf({ 'pack.json': Buffer.from(JSON.stringify(described)), ...made, ...files });
  return { ...(await operator(server).importProduct({ content: zip })), zip };
}
