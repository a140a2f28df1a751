// Uploads: an object arrives whole or in ranges, and is hashed on arrival. It can be read only when all its bytes are
// durable. After a broken connection, the next request continues where the stored bytes end.
import { createHash, type Hash } from 'node:crypto';
import { ApiError, plainHeaders } from '@sealpost/contract';
import type { Timers } from '@sealpost/contract/ports';
import { LRUCache } from 'lru-cache';
import { requireUncompressed } from '../../platform/http/body.ts';
import type { CrashPoint } from '../../platform/kernel/ports.ts';
import { ObjectMissing, type Objects } from '../../platform/objects/objects.ts';
import type { ObjectCall } from '../../platform/rpc/object-requests.ts';
import type { Tx } from '../../platform/store/store.ts';
import { appendInParts } from './append-in-parts.ts';
import { type Ending, type Incoming, receive } from './incoming.ts';
import { type Inspection, inspect } from './inspect.ts';
import { isRequestName, requestName } from './names.ts';
import { readObjectParams } from './object-params.ts';
import type { Previews } from './previews.ts';
import * as q from './queries.ts';
import { reserve } from './quota.ts';
import type { GainContent } from './remove-objects.ts';
import { readUploadRange, requireFitting } from './upload-range.ts';
import {
  createUploadSlots,
  LEASE_MS,
  type UploadRequest,
  type UploadSlot,
  type UploadSlotDeps,
} from './upload-slot.ts';

export interface UploadDeps extends UploadSlotDeps {
  readonly objects: Objects;
  readonly timers: Timers;
  readonly crashPoint: CrashPoint;
  readonly leastRate: number;
  /** Marks the messages of a completed object as having content. */
  readonly gainContent: GainContent;
  readonly previews: Previews;
}

/**
 * Bytes of a body that are held in memory before they are written. `least` and `most` bound the bytes of one upload;
 * `all` roughly bounds the bytes of all uploads together.
 */
const HELD = { least: 64 * 1024, most: 1024 * 1024, all: 2 * 1024 * 1024 };

/**
 * Largest number of running hashes that are kept while their objects wait for the next range. A dropped hash is
 * computed again from the stored bytes.
 */
const HASHES = 1000;

interface Progress {
  readonly oid: string;
  readonly received: number;
  /** Hash of the object, once it is complete. */
  readonly hash?: string;
}

const takenOver = ({ oid }: UploadSlot): ApiError =>
  new ApiError('UPLOAD_CONFLICT', `the object ${oid} was taken over or removed`);

/** The result of receiving the body of one request. */
interface ReceivedBody {
  readonly incoming: Incoming;
  readonly end: number;
  /** Running hash of all bytes so far; undefined if it was not kept. */
  readonly hash: Hash | undefined;
  /**
   * Offset up to which the bytes were durable before the last append. If that append fails, the object is reset to this
   * offset.
   */
  readonly durable: number;
}

export function createUploads(deps: UploadDeps) {
  const { store, clock, timers, objects, leastRate } = deps;
  const openSlot = createUploadSlots(deps);
  const hashes = new LRUCache<string, { readonly hash: Hash; readonly at: number }>({ max: HASHES });
  const writing = new Map<string, { cut(): void; readonly over: Promise<void> }>();

  /** Returns the bytes that one upload may hold in memory. The fewer uploads run, the more each may hold. */
  const room = (): number => Math.min(HELD.most, Math.max(HELD.least, HELD.all / writing.size));

  /**
   * Runs one upload per name at a time. A newer request ends the older one: usually the same client has lost its
   * connection, and the server has not noticed.
   */
  async function alone<T>(name: string, work: (onCut: (cut: () => void) => void) => Promise<T>): Promise<T> {
    for (let other = writing.get(name); other; other = writing.get(name)) {
      other.cut();
      await other.over;
    }
    let cut = () => {};
    const { promise: over, resolve } = Promise.withResolvers<void>();
    writing.set(name, { cut: () => cut(), over });
    try {
      return await work((how) => {
        cut = how;
      });
    } finally {
      writing.delete(name);
      resolve();
    }
  }

  /** Writes the body to the object, and returns what arrived. */
  async function take(
    slot: UploadSlot,
    wanted: UploadRequest,
    call: ObjectCall,
    onCut: (cut: () => void) => void,
  ): Promise<ReceivedBody> {
    const { received } = slot;
    const kept = hashes.get(slot.key);
    hashes.delete(slot.key);
    const hash = received === 0 ? createHash('sha256') : kept?.at === received ? kept.hash : undefined;
    const expected = wanted.range ? wanted.range.last + 1 : slot.most;
    const skip = received - (wanted.range?.first ?? 0);
    const incoming = receive(call.request, {
      ...{ skip, most: expected - received, hash, room, leastRate, timers },
      signature: call.signature,
    });
    onCut(incoming.cut);
    let durable = received;
    const lease = timers.every(LEASE_MS / 4, () => {
      store
        .transact((tx) => tx.run(q.renewLease, clock.now() + LEASE_MS, slot.accountId, slot.oid, slot.writer))
        .catch(incoming.cut);
    });
    try {
      const append = (offset: number, part: AsyncIterable<readonly Buffer[]>) => objects.append(slot.key, offset, part);
      const end = await appendInParts(incoming.source, received, append, async (at) => {
        await keepOn(slot, at);
        durable = at;
      });
      deps.crashPoint('upload.written');
      return { incoming, end, hash, durable };
    } catch (error) {
      return await giveUp(slot, error, durable);
    } finally {
      lease.cancel();
    }
  }

  /**
   * Records the durable bytes while the upload continues.
   * @throws UPLOAD_CONFLICT if another writer took the object over
   */
  async function keepOn(slot: UploadSlot, received: number): Promise<void> {
    const now = clock.now();
    const held = await store.transact((tx) =>
      tx.one(q.noteReceived, received, now + LEASE_MS, now, slot.accountId, slot.oid, slot.writer),
    );
    if (!held) throw takenOver(slot);
    deps.crashPoint('upload.noted');
  }

  /** Resets the object to its last durable offset, or to 0 if its stored bytes are lost, and then throws. */
  async function giveUp(slot: UploadSlot, error: unknown, durable: number): Promise<never> {
    const missing = error instanceof ObjectMissing;
    await note(slot, missing ? 0 : durable);
    if (!missing) throw error;
    throw new ApiError('RANGE_NOT_SATISFIABLE', 'the bytes so far are lost: begin again at 0');
  }

  /**
   * Records the durable bytes at the end of a request.
   * @throws UPLOAD_CONFLICT if another writer took the object over
   */
  async function note(slot: UploadSlot, received: number): Promise<void> {
    const now = clock.now();
    const held = await store.transact((tx) => tx.one(q.endWrite, received, now, slot.accountId, slot.oid, slot.writer));
    if (!held) throw takenOver(slot);
  }

  /** Restores the object to its state before a refused request. An object that the request created is removed. */
  async function takeBack(slot: UploadSlot): Promise<void> {
    if (!slot.isNew) return note(slot, slot.received);
    await store.transact(async (tx) => {
      const row = await tx.one(q.endNew, slot.accountId, slot.oid, slot.writer);
      if (row) await tx.run(q.addUsage, -1, -row.reserved, slot.accountId);
      tx.onCommit(() => deps.forgetBytes(slot.key));
    });
  }

  async function hashOf(key: string): Promise<string> {
    const hash = createHash('sha256');
    for await (const piece of await objects.read(key)) hash.update(piece);
    return hash.digest('hex');
  }

  async function finish(slot: UploadSlot, size: number, { hash: running, durable }: ReceivedBody): Promise<Progress> {
    await objects.publish(slot.key).catch((error: unknown) => giveUp(slot, error, durable));
    deps.crashPoint('upload.published');
    const hash = running?.digest('hex') ?? (await hashOf(slot.key));
    const inspection = await inspect(objects, slot, size);
    await store.transact((tx) => makeWhole(tx, slot, { size, hash, inspection }));
    deps.crashPoint('upload.recorded');
    void deps.previews.examine(slot);
    return { oid: slot.oid, received: size, hash };
  }

  async function makeWhole(
    tx: Tx,
    slot: UploadSlot,
    { size, hash, inspection }: { size: number; hash: string; inspection: Inspection },
  ): Promise<void> {
    const { mime, details } = inspection;
    const row = await tx.one(
      ...[q.makeWhole, size, size, size, hash, mime, JSON.stringify(details)],
      ...[clock.now(), slot.accountId, slot.oid, slot.writer],
    );
    if (!row) throw takenOver(slot);
    await reserve(tx, deps.quota, slot.accountId, { objects: 0, bytes: size - (slot.size ?? 0) });
    const carriers = await tx.each(q.carriersOf, [[slot.accountId, slot.oid]]);
    const own = slot.message ? [slot.message.id] : [];
    await deps.gainContent(tx, [...own, ...carriers.map(({ message_id }) => message_id)], slot.accountId);
  }

  /**
   * Throws unless a signed body arrived completely and its signature is valid.
   * @throws REQUEST_INVALID_HMAC
   */
  async function requireSigned(slot: UploadSlot, { signature }: ObjectCall, ending: Ending): Promise<void> {
    try {
      if (signature && ending === 'cut') throw new ApiError('REQUEST_INVALID_HMAC', 'the signed body broke off');
      signature?.require();
    } catch (error) {
      await takeBack(slot);
      throw error;
    }
  }

  async function write(
    slot: UploadSlot,
    wanted: UploadRequest,
    call: ObjectCall,
    onCut: (cut: () => void) => void,
  ): Promise<Progress> {
    const taken = await take(slot, wanted, call, onCut);
    const { incoming, end, hash } = taken;
    const ending = incoming.ending();
    if (ending === 'too long') {
      await takeBack(slot);
      throw new ApiError('BODY_TOO_LARGE', `the body is longer than the ${slot.most} bytes that are left for it`);
    }
    await requireSigned(slot, call, ending);
    const size = slot.size ?? (ending === 'whole' ? end : undefined);
    if (end === size) return finish(slot, size, taken);
    if (hash) hashes.set(slot.key, { hash, at: end });
    await note(slot, end);
    return { oid: slot.oid, received: end };
  }

  /**
   * Returns the name under which uploads of one object exclude each other. A request gets the same result whether it
   * uses the client's own name or the server's name.
   */
  async function nameOf({ caller, path }: UploadRequest): Promise<string> {
    const asked = requestName(path);
    const row = isRequestName(path.oid)
      ? undefined
      : await store.read((reader) => reader.one(q.objectOf, caller.accountId, path.oid));
    return `${caller.accountId} ${row?.request_name ?? asked}`;
  }

  return async function upload(call: ObjectCall): Promise<string | undefined> {
    const wanted = wantedOf(call);
    const progress = await alone(await nameOf(wanted), async (onCut) => {
      const opened = await openSlot(wanted);
      return 'slot' in opened ? write(opened.slot, wanted, call, onCut) : repeated(opened.whole, wanted, call);
    });
    tell(call, progress);
    return undefined;
  };

  /**
   * Answers an upload of an object that is already complete. If the bytes are the same, the answer is the one of the
   * first upload; otherwise it is an error.
   */
  async function repeated(row: q.ObjectRow, { range, length }: UploadRequest, call: ObjectCall): Promise<Progress> {
    const done = { oid: row.oid, received: row.received, hash: row.hash as string };
    const complete = new ApiError('OBJECT_COMPLETE', `the object ${row.oid} is complete already`);
    if (range ? range.size !== row.size : row.request_name === null || length !== row.size) throw complete;
    const hash = createHash('sha256');
    const incoming: Incoming = receive(call.request, {
      ...{ skip: 0, most: row.received, hash, room, leastRate, timers },
      signature: call.signature,
    });
    for await (const _ of incoming.source);
    call.signature?.require();
    if (!range && hash.digest('hex') !== row.hash) throw complete;
    return done;
  }
}

/**
 * Returns what the headers of an upload ask for.
 * @throws OBJECT_REQUEST for malformed headers, RANGE_NOT_SATISFIABLE for a wrong range, UNSUPPORTED_BODY for a
 * compressed body
 */
function wantedOf({ path, caller, header }: ObjectCall): UploadRequest {
  if (!caller) throw new ApiError('REQUEST_NEED_LOGIN');
  const text = header('content-length');
  const length = text === undefined ? undefined : Number(text);
  requireUncompressed(header('content-encoding'));
  const range = readUploadRange(header('range'));
  if (range) requireFitting(range, length);
  return { caller, path, params: readObjectParams(header(plainHeaders.obsParams.name)), range, length };
}

function tell({ response, extraHeaders }: ObjectCall, { oid, received, hash }: Progress): void {
  if (response.destroyed) return;
  const body = JSON.stringify({ oid, offset: received, ...(hash !== undefined && { hash }) });
  const headers = [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(body)),
  ];
  headers.push('Cache-Control', 'no-store');
  headers.push('x-obs-oid', oid, 'x-obs-offset', String(received));
  if (hash !== undefined) headers.push('x-obs-hash', hash);
  response.writeHead(hash === undefined ? 200 : 201, [...headers, ...extraHeaders]);
  response.end(body);
}
