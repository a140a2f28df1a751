// One object into object storage, part by part (specification: Direct object). A cut costs at most what was on its way:
// the server tells how much it has, and the rest follows.
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
  /** Of the object: of the sealed bytes, if they are sealed. */
  readonly size: number;
  /** The bytes from their beginning. Called again after some cuts; they must be the same each time. */
  open(): ByteSource;
  /** Whether an earlier run may have sent some of it. */
  readonly resumed: boolean;
  /** Told the bytes that are safe. */
  readonly onOffset?: (offset: number) => void;
}

/** What the server has of an object. */
interface Stored {
  readonly offset: number;
  readonly oid?: string | undefined;
  /** SHA-256 in hex, once the object is whole. */
  readonly hash?: string | undefined;
}

const KIB = 1024;
const FIRST_PART = 256 * KIB;
const SMALLEST_PART = 64 * KIB;
const LARGEST_PART = 4 * KIB * KIB;
/** Parts that take less grow, so that fast lines are filled; parts that take longer shrink, so that progress is seen. */
const QUICK_MS = 500;
const SLOW_MS = 4000;
const PART_TIMEOUT_MS = 60_000;

const WHAT = 'the upload';

/**
 * Answers the object's name.
 * @throws MediaError `source-changed` if the bytes are not those that were begun with; GatewayError, NetworkError
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

  async function state(): Promise<Stored> {
    try {
      const info = await readInfo(storage, path, { what: WHAT, signal });
      if (info.status === 'exist' && info.size !== size) throw otherBytes();
      return { offset: info.status === 'exist' ? size : (info.offset ?? 0), oid: info.oid, hash: info.hash };
    } catch (error) {
      if (!(error instanceof GatewayError) || !nothingYet(error, path)) throw error;
      return { offset: 0 };
    }
  }

  async function post(part: Uint8Array<ArrayBuffer>, from: number): Promise<Stored> {
    const begun = clock.monotonic();
    const end = from + part.length;
    // An empty object has no range.
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
    // Nothing is gained by sending the same again at once.
    if (offset <= from && from < end) throw new NetworkError(WHAT, path, new Error('the server took nothing'));
    return {
      offset,
      oid: headers.get('x-obs-oid') ?? undefined,
      hash: headers.get('x-obs-hash') ?? undefined,
    };
  }

  /** Tries once; after a failure, asks what came through. */
  async function send(part: Uint8Array<ArrayBuffer>, from: number): Promise<Stored> {
    try {
      return await post(part, from);
    } catch (error) {
      // A range that does not follow what is there: it will, once we know what is there.
      await patience.after(error, error instanceof GatewayError && error.http === 416);
      partSize = Math.max(partSize / 2, SMALLEST_PART);
      return patience.until(state);
    }
  }

  /** From `start` to the end; answers another place to start from if the server has less or more than we thought. */
  async function sendFrom(start: number): Promise<{ readonly oid: string } | { readonly restartAt: number }> {
    const parts = new PartReader(upload.open());
    try {
      if ((await parts.skip(start)) < start) throw shrunk();
      let stored: Stored | undefined = start > 0 && start === size ? await patience.until(state) : undefined;
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

/** A plain object has a message, which is there or not; of all others nothing is known before their first byte. */
const nothingYet = ({ http }: GatewayError, path: string): boolean =>
  !path.startsWith('/r/talk/m/') && (http === 404 || http === 400);

const changed = (what: string) =>
  new MediaError('source-changed', `${what} Send it again; what was sent of it is of no use.`);
const shrunk = () => changed('The content became shorter while it was being sent.');
const grown = () => changed('The content became longer while it was being sent.');
const otherBytes = () =>
  changed('The server has other bytes than those that were sent: the content changed meanwhile.');
