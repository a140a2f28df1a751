// Answers with the bytes of an object. Supports ranges and conditional requests. Sends headers that stop a browser from
// running the content.
import type { ServerResponse } from 'node:http';
import { ApiError } from '@sealpost/contract';
import type { Timers } from '@sealpost/contract/ports';
import contentDisposition from 'content-disposition';
import parseRange from 'range-parser';
import { namesEtag } from '../../platform/http/if-none-match.ts';
import type { ByteRange, LinkHeaders, Objects } from '../../platform/objects/objects.ts';

export interface ServedObject {
  readonly key: string;
  readonly size: number;
  readonly hash: string;
  /**
   * The type detected from the bytes. The answer names this type only if it is safe; otherwise it names
   * application/octet-stream.
   */
  readonly mime: string;
  readonly name: string;
  /** True if everybody may read the object. Such an object never changes under its name, so caches may keep it. */
  readonly public: boolean;
}

export interface ObjectRequest {
  readonly head: boolean;
  header(name: string): string | undefined;
  readonly response: ServerResponse;
  readonly extraHeaders: readonly string[];
}

export interface ServingDeps {
  readonly objects: Objects;
  readonly timers: Timers;
  /** Lowest transfer rate in bytes per second. A slower reader is cut off. */
  readonly leastRate: number;
}

/** Types that a browser may display directly: pictures, video and audio, none of which can contain a script. */
const INLINE = new Set([
  ...['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
  ...['video/mp4', 'audio/mp4', 'audio/x-m4a', 'audio/mpeg', 'audio/aac'],
]);
const BYTES = 'application/octet-stream';
const PRIVATE = 'private, no-store';
const RATE_WINDOW_S = 30;

/** Headers that stop a browser from treating an object as a page of this site. */
const SAFE = [
  ...['Content-Security-Policy', "default-src 'none'; sandbox"],
  ...['Cross-Origin-Resource-Policy', 'cross-origin', 'Referrer-Policy', 'no-referrer'],
];

export const mimeShown = (mime: string): string => (INLINE.has(mime) ? mime : BYTES);

export function createServing({ objects, timers, leastRate }: ServingDeps) {
  return async function serve(served: ServedObject, asked: ObjectRequest): Promise<void> {
    const { response, head } = asked;
    const headers = headersOf(served, asked);
    if (isUnchanged(served, asked)) {
      response.writeHead(304, headers).end();
      return;
    }
    const range = rangeOf(served, asked);
    const { start, end } = range ?? { start: 0, end: served.size - 1 };
    headers.push('Content-Length', String(end - start + 1));
    if (range) headers.push('Content-Range', `bytes ${start}-${end}/${served.size}`);
    if (head || served.size === 0) {
      response.writeHead(range ? 206 : 200, headers).end();
      return;
    }
    if (objects.link && !served.public) {
      redirect(await objects.link(served.key, linkHeadersOf(served)), asked);
      return;
    }
    const pieces = await objects.read(served.key, { start, end });
    response.writeHead(range ? 206 : 200, headers);
    await send(pieces, response);
  };

  /** Sends the bytes. If the reader disconnects or is too slow, the answer ends early. */
  async function send(pieces: AsyncIterable<Buffer>, response: ServerResponse): Promise<void> {
    let sent = 0;
    const watch = timers.every(RATE_WINDOW_S * 1000, () => {
      if (sent < leastRate * RATE_WINDOW_S) response.destroy();
      sent = 0;
    });
    const write = writerTo(response);
    try {
      for await (const piece of pieces) {
        if (!(await write(piece))) return;
        sent += piece.length;
      }
      response.end();
    } catch (error) {
      response.destroy();
      throw error;
    } finally {
      watch.cancel();
    }
  }
}

/**
 * Returns a function that writes one piece. The function resolves to true once the system has taken the piece, and to
 * false if the connection broke.
 */
function writerTo(response: ServerResponse): (piece: Buffer) => Promise<boolean> {
  let settle: (taken: boolean) => void = () => {};
  // A response may wait behind other responses of its connection. If the connection breaks then, the response gets no
  // write error, only the event `close`.
  response.once('close', () => settle(false));
  return (piece) =>
    new Promise((resolve) => {
      settle = resolve;
      if (response.destroyed) resolve(false);
      else response.write(piece, (error) => resolve(!error));
    });
}

const etagOf = ({ hash }: ServedObject): string => `"${hash}"`;

/**
 * Redirects to the bytes in object storage. The client has already been allowed to read the bytes. The link contains a
 * token that grants access.
 */
function redirect(location: string, { response, extraHeaders }: ObjectRequest): void {
  const headers = ['Location', location, 'Content-Length', '0', 'Cache-Control', PRIVATE];
  response.writeHead(302, [...headers, ...SAFE, ...extraHeaders]).end();
}

function linkHeadersOf({ mime, name }: ServedObject): LinkHeaders {
  const type = mimeShown(mime);
  const disposition = contentDisposition(name || undefined, { type: type === BYTES ? 'attachment' : 'inline' });
  return { type, disposition, cacheControl: PRIVATE };
}

function headersOf(served: ServedObject, { extraHeaders }: ObjectRequest): string[] {
  const { type, disposition, cacheControl } = linkHeadersOf(served);
  return [
    ...['Content-Type', type, 'Content-Disposition', disposition, 'Accept-Ranges', 'bytes', 'ETag', etagOf(served)],
    ...['Cache-Control', served.public ? 'public, max-age=31536000, immutable' : cacheControl],
    ...['x-obs-hash', served.hash],
    ...SAFE,
    ...extraHeaders,
  ];
}

const isUnchanged = (served: ServedObject, { header }: ObjectRequest): boolean =>
  namesEtag(header('if-none-match'), etagOf(served));

/**
 * Returns the requested range. Returns undefined for no range, several ranges or another unit: the answer is then the
 * whole object.
 * @throws RANGE_NOT_SATISFIABLE if the range is outside the object
 */
function rangeOf(served: ServedObject, { header }: ObjectRequest): ByteRange | undefined {
  const asked = header('range');
  const condition = header('if-range');
  if (asked === undefined || (condition !== undefined && condition !== etagOf(served))) return undefined;
  const found = parseRange(served.size, asked);
  if (found === -1)
    throw new ApiError('RANGE_NOT_SATISFIABLE', `Range ${asked.slice(0, 80)}: the object has ${served.size} bytes`);
  if (found === -2 || found.type !== 'bytes' || found.length !== 1) return undefined;
  return found[0];
}
