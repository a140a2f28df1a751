// Uploads one object to object storage, part by part (specification: Direct object). After a lost connection, the
// server says how many bytes it has, and the upload continues there.
import type { ObjectParameters } from '@sealpost/contract';
import { plainHeaders } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import { type ByteSource, toBase64 } from '@sealpost/crypto';
import { GatewayError, NetworkError } from '../gateway/errors.ts';
import { MediaError } from './media-error.ts';
import type { ObjectStorage } from './object-storage.ts';
import { PartReader } from './part-reader.ts';
import type { Patience } from './patience.ts';
import { readInfo } from './stored-object.ts';

export interface Upload {
  readonly path: string;
  readonly params: ObjectParameters;
  /** The size of the object in bytes; for sealed media, of the sealed bytes. */
  readonly size: number;
  /**
   * Returns the bytes of the object from the beginning. Called again after some lost connections; the bytes must be the
   * same each time.
   */
  open(): ByteSource;
  /** Whether an earlier run may have sent a part of the object. */
  readonly resumed: boolean;
  /** Called with the number of bytes that the server has stored. */
  readonly onOffset?: (offset: number) => void;
}

/** What the server has stored of an object. */
interface StoredState {
  readonly offset: number;
  readonly oid?: string | undefined;
  /** The SHA-256 in hex; undefined until the object is complete. */
  readonly hash?: string | undefined;
}

const KIB = 1024;
const FIRST_PART = 256 * KIB;
const SMALLEST_PART = 64 * KIB;
const LARGEST_PART = 4 * KIB * KIB;
// After a part that took less than QUICK_MS, the next part is larger, which uses fast connections well. After a part
// that took more than SLOW_MS, the next part is smaller, so that users see progress.
const QUICK_MS = 500;
const SLOW_MS = 4000;
const PART_TIMEOUT_MS = 60_000;

const WHAT = 'the upload';

/**
 * Uploads the object and returns its name.
 * @throws MediaError `source-changed` if the bytes are not the ones with which the upload began; GatewayError,
 * NetworkError
 */
export async function uploadObject(
  deps: { storage: ObjectStorage; clock: Clock; patience: Patience },
  upload: Upload,
): Promise<string> {
  const { storage, clock, patience } = deps;
  const { path, size } = upload;
  const { signal } = patience;
  const params = toBase64(new TextEncoder().encode(JSON.stringify({ ver: '2.0', ...upload.params })));
  let partSize = FIRST_PART;

  async function state(): Promise<StoredState> {
    try {
      const info = await readInfo(storage, path, { what: WHAT, signal });
      if (info.status === 'exist' && info.size !== size) throw otherBytes();
      return { offset: info.status === 'exist' ? size : (info.offset ?? 0), oid: info.oid, hash: info.hash };
    } catch (error) {
      if (!(error instanceof GatewayError) || !nothingYet(error, path)) throw error;
      return { offset: 0 };
    }
  }

  async function post(part: Uint8Array<ArrayBuffer>, from: number): Promise<StoredState> {
    const begun = clock.monotonic();
    const end = from + part.length;
    // An empty object is sent without Range: no range describes zero bytes.
    const range = size === 0 ? {} : { Range: `bytes ${from}-${end - 1}/${size}` };
    const { headers } = await storage({
      what: WHAT,
      method: 'POST',
      path,
      headers: { [plainHeaders.obsParams.name]: params, ...range },
      body: part,
      timeoutMs: PART_TIMEOUT_MS,
      signal,
    });
    const took = clock.monotonic() - begun;
    if (took < QUICK_MS) partSize = Math.min(partSize * 2, LARGEST_PART);
    if (took > SLOW_MS) partSize = Math.max(partSize / 2, SMALLEST_PART);
    const offset = Number(headers.get('x-obs-offset') ?? end);
    // The server stored nothing of the part. The error counts as a network error, so the same bytes are sent again
    // after a pause.
    if (offset <= from && from < end) throw new NetworkError(WHAT, path, new Error('the server took nothing'));
    return {
      offset,
      oid: headers.get('x-obs-oid') ?? undefined,
      hash: headers.get('x-obs-hash') ?? undefined,
    };
  }

  /** Sends a part once. After a failure, asks the server how many bytes arrived. */
  async function send(part: Uint8Array<ArrayBuffer>, from: number): Promise<StoredState> {
    try {
      return await post(part, from);
    } catch (error) {
      // HTTP 416 means that the range does not start where the stored bytes end. Another attempt is useful, because the
      // request below asks how many bytes are stored.
      await patience.after(error, error instanceof GatewayError && error.http === 416);
      partSize = Math.max(partSize / 2, SMALLEST_PART);
      return patience.until(state);
    }
  }

  /**
   * Sends the object from `start` to its end. If the server has fewer or more bytes than expected, returns another
   * position to start from.
   */
  async function sendFrom(start: number): Promise<{ readonly oid: string } | { readonly restartAt: number }> {
    const parts = new PartReader(upload.open());
    try {
      if ((await parts.skip(start)) < start) throw shrunk();
      let stored: StoredState | undefined = start > 0 && start === size ? await patience.until(state) : undefined;
      for (let at = start; at < size || !stored; ) {
        const part = await parts.take(Math.min(partSize, size - at));
        if (part.length === 0 && size > 0) throw shrunk();
        const end = at + part.length;
        for (let from = at; from < end || !stored; ) {
          stored = await send(part.subarray(from - at), from);
          const { offset } = stored;
          if (offset > from) patience.progressed();
          if (offset < at || offset > end) return { restartAt: offset };
          upload.onOffset?.(offset);
          from = offset;
        }
        at = end;
      }
      if ((await parts.skip(1)) > 0) throw grown();
      if (stored?.hash !== undefined && stored.hash !== parts.digest()) throw otherBytes();
      if (stored?.oid === undefined) throw new GatewayError(WHAT, 200, { message: 'the answer has no x-obs-oid' });
      return { oid: stored.oid };
    } finally {
      await parts.close();
    }
  }

  let start = upload.resumed ? (await patience.until(state)).offset : 0;
  for (;;) {
    upload.onOffset?.(start);
    const done = await sendFrom(start);
    if ('oid' in done) return done.oid;
    start = done.restartAt;
  }
}

/**
 * Returns whether a refusal means that the server has no bytes of the object yet. Before the first byte, the server
 * does not know a sealed object. It knows a plain object from its message, so a refusal for a plain object is an error.
 */
const nothingYet = ({ http }: GatewayError, path: string): boolean =>
  !path.startsWith('/r/talk/m/') && (http === 404 || http === 400);

const changed = (what: string) =>
  new MediaError('source-changed', `${what} Send it again; the part that was sent is useless.`);
const shrunk = () => changed('The content became shorter while it was being sent.');
const grown = () => changed('The content became longer while it was being sent.');
const otherBytes = () =>
  changed('The server has other bytes than those that were sent: the content changed while it was being sent.');
