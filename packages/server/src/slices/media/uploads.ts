// Uploads: an object arrives whole or in ranges, is hashed on the way, and can be read only once all of it is durable.
// A connection that breaks leaves what it brought; the next one goes on from there.
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
import { createUploadSlots, LEASE_MS, type UploadSlot, type UploadSlotDeps, type Wanted } from './upload-slot.ts';

export interface UploadDeps extends UploadSlotDeps {
  readonly objects: Objects;
  readonly timers: Timers;
  readonly crashPoint: CrashPoint;
  readonly leastRate: number;
  /** Marks the messages of an object that is whole. */
  readonly gainContent: GainContent;
  readonly previews: Previews;
}

/** Bytes that arrived and were not passed on yet: of one upload, and about of all together. */
const HELD = { least: 64 * 1024, most: 1024 * 1024, all: 2 * 1024 * 1024 };

/** Hashes of objects that are between two ranges; one that fell out is made anew from the bytes. */
const HASHES = 1000;

interface Progress {
  readonly oid: string;
  readonly received: number;
  /** Once the object is whole. */
  readonly hash?: string;
}

const takenOver = ({ oid }: UploadSlot): ApiError =>
  new ApiError('UPLOAD_CONFLICT', `the object ${oid} was taken over or removed`);

/** What a request brought. */
interface Taken {
  readonly incoming: Incoming;
  readonly end: number;
  /** Of all bytes so far, if it could be kept. */
  readonly hash: Hash | undefined;
  /** Where the last append began, to which the object can go back. */
  readonly durable: number;
}

export function createUploads(deps: UploadDeps) {
  const { store, clock, timers, objects, leastRate } = deps;
  const openSlot = createUploadSlots(deps);
  const hashes = new LRUCache<string, { readonly hash: Hash; readonly at: number }>({ max: HASHES });
  const writing = new Map<string, { cut(): void; readonly over: Promise<void> }>();

  /** The fewer uploads there are, the more each may gather for one write. */
  const room = (): number => Math.min(HELD.most, Math.max(HELD.least, HELD.all / writing.size));

  /** One writer for each name: a newer request ends the older one, which most often lost its client unnoticed. */
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

  /** Takes the body into the object; answers how much of it is durable then. */
  async function take(
    slot: UploadSlot,
    wanted: Wanted,
    call: ObjectCall,
    onCut: (cut: () => void) => void,
  ): Promise<Taken> {
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

  /** Remembers how much is there while more arrives. @throws UPLOAD_CONFLICT when the object went to somebody else */
  async function keepOn(slot: UploadSlot, received: number): Promise<void> {
    const now = clock.now();
    const held = await store.transact((tx) =>
      tx.one(q.noteReceived, received, now + LEASE_MS, now, slot.accountId, slot.oid, slot.writer),
    );
    if (!held) throw takenOver(slot);
    deps.crashPoint('upload.noted');
  }

  /** Leaves the object where it was safe, or at its beginning if the bytes so far are gone. */
  async function giveUp(slot: UploadSlot, error: unknown, durable: number): Promise<never> {
    const missing = error instanceof ObjectMissing;
    await note(slot, missing ? 0 : durable);
    if (!missing) throw error;
    throw new ApiError('RANGE_NOT_SATISFIABLE', 'the bytes so far are lost: begin again at 0');
  }

  /** Remembers how much is there at the end of a request. @throws UPLOAD_CONFLICT when the object went to somebody else meanwhile */
  async function note(slot: UploadSlot, received: number): Promise<void> {
    const now = clock.now();
    const held = await store.transact((tx) => tx.one(q.endWrite, received, now, slot.accountId, slot.oid, slot.writer));
    if (!held) throw takenOver(slot);
  }

  /** Leaves the object as it was before a request that is refused: a new one leaves nothing behind. */
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

  async function finish(slot: UploadSlot, size: number, { hash: running, durable }: Taken): Promise<Progress> {
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

  /** A signed body counts only if all of it came, and the signature is right. @throws REQUEST_INVALID_HMAC */
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
    wanted: Wanted,
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

  /** An object that began under a name of the client can be continued under its own. */
  async function nameOf({ caller, path }: Wanted): Promise<string> {
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

  /** The answer to an upload of what is whole already: the same as the first time, if it is the same upload. */
  async function repeated(row: q.ObjectRow, { range, length }: Wanted, call: ObjectCall): Promise<Progress> {
    const done = { oid: row.oid, received: row.received, hash: row.hash as string };
    const complete = new ApiError('OBJECT_COMPLETE', `the object ${row.oid} is whole`);
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

/** @throws OBJECT_REQUEST, RANGE_NOT_SATISFIABLE, UNSUPPORTED_BODY */
function wantedOf({ path, caller, header }: ObjectCall): Wanted {
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
