// Uploads. An object arrives whole or in ranges, and is hashed on arrival. The object can be read only when all its
// bytes are durable. After a broken connection, the next request continues where the stored bytes end.
import { createHash, type Hash } from 'node:crypto';
import { ApiError, type ErrorName, plainHeaders } from '@sealpost/contract';
import type { Timers } from '@sealpost/contract/ports';
import type { LRUCache } from 'lru-cache';
import { requireUncompressed } from '../../platform/http/body.ts';
import { growingCache } from '../../platform/kernel/growing-cache.ts';
import { ObjectMissing, type Objects } from '../../platform/objects/objects.ts';
import type { ObjectCall } from '../../platform/rpc/object-requests.ts';
import type { Store } from '../../platform/store/store.ts';
import { appendInParts } from './append-in-parts.ts';
import { type Ending, type Incoming, receive } from './incoming.ts';
import { inspect } from './inspect.ts';
import { isRequestName, requestName } from './names.ts';
import { readObjectParams } from './object-params.ts';
import type { Previews } from './previews.ts';
import * as q from './queries.ts';
import { readUploadRange, requireFitting } from './upload-range.ts';
import { createUploadRecord, type UploadRecord, type UploadRecordDeps } from './upload-record.ts';
import {
  createUploadSlots,
  LEASE_MS,
  type UploadRequest,
  type UploadSlot,
  type UploadSlotDeps,
} from './upload-slot.ts';
import { createUploadTurns, type OnCut } from './upload-turns.ts';

export interface UploadDeps extends UploadSlotDeps, UploadRecordDeps {
  readonly objects: Objects;
  readonly timers: Timers;
  readonly leastRate: number;
  readonly previews: Previews;
}

/**
 * Number of bytes of a body that are kept in memory before they are written. `least` and `most` bound the bytes of one
 * upload; `all` roughly bounds the bytes of all uploads together.
 */
const HELD = { least: 64 * 1024, most: 1024 * 1024, all: 2 * 1024 * 1024 };

/**
 * Maximum number of unfinished hashes that are kept while their objects wait for the next range. A dropped hash is
 * computed again from the stored bytes.
 */
const HASHES = 1000;

/** The data that all uploads of this server share. */
interface Shared extends UploadDeps {
  readonly record: UploadRecord;
  /** Unfinished hashes by the key of their object. `at` is the offset up to which the object is hashed. */
  readonly hashes: LRUCache<string, { readonly hash: Hash; readonly at: number }>;
  /** Returns the bytes that one upload may hold in memory. The fewer uploads run, the more each may hold. */
  readonly room: () => number;
}

/** One request that writes to an object. */
interface Upload {
  readonly slot: UploadSlot;
  readonly wanted: UploadRequest;
  readonly call: ObjectCall;
  readonly onCut: OnCut;
}

interface Progress {
  readonly oid: string;
  readonly received: number;
  /** Hash of the object, once it is complete. */
  readonly hash?: string;
}

/** The result of receiving the body of one request. */
interface ReceivedBody {
  readonly incoming: Incoming;
  readonly end: number;
  /** Unfinished hash of all bytes so far; undefined if it was not kept. */
  readonly hash: Hash | undefined;
  /**
   * Offset up to which the bytes were durable before the last append. If that append fails, the object is reset to this
   * offset.
   */
  readonly durable: number;
}

export function createUploads(deps: UploadDeps) {
  const openSlot = createUploadSlots(deps);
  const turns = createUploadTurns();
  const shared: Shared = {
    ...deps,
    record: createUploadRecord(deps),
    hashes: growingCache(HASHES),
    room: () => Math.min(HELD.most, Math.max(HELD.least, HELD.all / turns.running())),
  };
  return async function upload(call: ObjectCall): Promise<string | undefined> {
    const wanted = wantedOf(call);
    const progress = await turns.alone(await nameOf(deps.store, wanted), async (onCut) => {
      const opened = await openSlot(wanted);
      return 'slot' in opened
        ? write(shared, { slot: opened.slot, wanted, call, onCut })
        : repeated(shared, opened.whole, { wanted, call, onCut });
    });
    tell(call, progress);
    return undefined;
  };
}

/**
 * Returns a name for an object, of which only one upload may run at a time. The result is the same whether the request
 * names the object by the client's own name or by the server's name.
 */
async function nameOf(store: Store, { caller, path }: UploadRequest): Promise<string> {
  const asked = requestName(path);
  const row = isRequestName(path.oid)
    ? undefined
    : await store.read((reader) => reader.one(q.objectOf, caller.accountId, path.oid));
  return `${caller.accountId} ${row?.request_name ?? asked}`;
}

/** Writes to an object. A request that is refused leaves nothing of its body. */
async function write(shared: Shared, upload: Upload): Promise<Progress> {
  try {
    return await writeBody(shared, upload);
  } catch (error) {
    if (isRefusal(error)) await shared.record.undo(upload.slot);
    throw error;
  }
}

const REFUSALS = new Set<ErrorName>(['BODY_TOO_LARGE', 'OBJECT_QUOTA', 'REQUEST_INVALID_HMAC']);
const isRefusal = (error: unknown): boolean => error instanceof ApiError && REFUSALS.has(error.code);

async function writeBody(shared: Shared, upload: Upload): Promise<Progress> {
  const { record, hashes } = shared;
  const { slot, call } = upload;
  const body = await take(shared, upload);
  const { incoming, end, hash } = body;
  const ending = incoming.ending();
  if (ending === 'too long') {
    throw new ApiError('BODY_TOO_LARGE', `the body is longer than the ${slot.most} bytes that are left for it`);
  }
  requireSigned(call, ending);
  const size = slot.size ?? (ending === 'whole' ? end : undefined);
  if (end === size) return finish(shared, slot, size, body);
  if (hash) hashes.set(slot.key, { hash, at: end });
  await record.end(slot, end);
  return { oid: slot.oid, received: end };
}

/** Writes the body to the object, and returns what arrived. */
async function take(shared: Shared, { slot, wanted, call, onCut }: Upload): Promise<ReceivedBody> {
  const { timers, objects, record, hashes, leastRate, room } = shared;
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
    record.renewLease(slot).catch(incoming.cut);
  });
  try {
    const append = (offset: number, part: AsyncIterable<readonly Buffer[]>) => objects.append(slot.key, offset, part);
    const end = await appendInParts(incoming.source, received, append, async (at) => {
      await record.note(slot, at);
      durable = at;
    });
    shared.crashPoint('upload.written');
    return { incoming, end, hash, durable };
  } catch (error) {
    const { size } = slot;
    const mayBeWhole = size !== undefined && error instanceof ObjectMissing;
    if (!mayBeWhole || !(await isPublished(shared, slot, size, durable)))
      return await giveUp(record, slot, error, durable);
    // A server crashed after it had published the object and before it recorded that. No byte is missing.
    for await (const _ of incoming.source);
    return { incoming, end: size, hash: undefined, durable };
  } finally {
    lease.cancel();
  }
}

/** Returns whether an object with all its bytes was published. */
async function isPublished(
  { objects, record }: Shared,
  slot: UploadSlot,
  size: number,
  durable: number,
): Promise<boolean> {
  try {
    for await (const _ of await objects.read(slot.key, { start: Math.max(0, size - 1), end: size - 1 }));
    return true;
  } catch (error) {
    return error instanceof ObjectMissing ? false : giveUp(record, slot, error, durable);
  }
}

/** Resets the object to its last durable offset, or to 0 if its stored bytes are lost, and then throws. */
async function giveUp(record: UploadRecord, slot: UploadSlot, error: unknown, durable: number): Promise<never> {
  if (isRefusal(error)) throw error;
  const missing = error instanceof ObjectMissing;
  await record.end(slot, missing ? 0 : durable);
  if (!missing) throw error;
  throw new ApiError('RANGE_NOT_SATISFIABLE', 'the bytes so far are lost: begin again at 0');
}

/**
 * Throws unless a signed body arrived completely and its signature is valid.
 * @throws REQUEST_INVALID_HMAC
 */
function requireSigned({ signature }: ObjectCall, ending: Ending): void {
  if (signature && ending === 'cut') throw new ApiError('REQUEST_INVALID_HMAC', 'the signed body broke off');
  signature?.require();
}

/** Publishes an object whose bytes are all durable. */
async function finish(shared: Shared, slot: UploadSlot, size: number, body: ReceivedBody): Promise<Progress> {
  const { objects, record, crashPoint } = shared;
  await objects.publish(slot.key).catch((error: unknown) => giveUp(record, slot, error, body.durable));
  crashPoint('upload.published');
  const hash = body.hash?.digest('hex') ?? (await hashOf(objects, slot.key));
  const inspection = await inspect(objects, slot, size);
  await record.complete(slot, { size, hash, inspection });
  crashPoint('upload.recorded');
  void shared.previews.examine(slot);
  return { oid: slot.oid, received: size, hash };
}

async function hashOf(objects: Objects, key: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of await objects.read(key)) hash.update(piece);
  return hash.digest('hex');
}

/**
 * Answers an upload of an object that is already complete. If the request repeats the upload, it gets the same answer
 * as the first time. Otherwise it gets an error.
 * @throws OBJECT_COMPLETE
 */
async function repeated(
  { room, leastRate, timers }: Shared,
  row: q.ObjectRow,
  { wanted: { range, length }, call, onCut }: Omit<Upload, 'slot'>,
): Promise<Progress> {
  const { oid, received } = row;
  const complete = (why: string) =>
    new ApiError('OBJECT_COMPLETE', `the object ${oid} is complete already, and ${why}: upload it as a new object`);
  const size = range ? range.size : length;
  // Another size is refused before the body is read.
  if (size !== undefined && size !== received) throw complete(`it has ${received} bytes, not ${size}`);
  const hash = createHash('sha256');
  const incoming = receive(call.request, {
    ...{ skip: 0, most: received, hash, room, leastRate, timers },
    signature: call.signature,
  });
  onCut(incoming.cut);
  let read = 0;
  for await (const batch of incoming.source) for (const piece of batch) read += piece.length;
  if (incoming.ending() === 'too long') throw complete(`it has ${received} bytes, this body has more`);
  call.signature?.require();
  // A range with a part of the bytes is not compared: they were stored with the first upload.
  const isPart = range !== undefined && read < received;
  if (!isPart && hash.digest('hex') !== row.hash) throw complete('it has other bytes than this body');
  return { oid, received, hash: row.hash as string };
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
