// Finds or creates the object that an upload writes. One transaction reserves the object for its writer, and reserves a
// part of the account's quota for the object's bytes.
import { ApiError } from '@sealpost/contract';
import type { Clock, Random } from '@sealpost/contract/ports';
import type { ObjectParameters } from '@sealpost/contract/schemas';
import type { Caller } from '../../platform/rpc/call.ts';
import type { ObjectPath } from '../../platform/rpc/object-paths.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import { holdLiving } from '../accounts/index.ts';
import { type Access, noObject } from './access.ts';
import { drawKey, drawOid, isRequestName, kindOf, MADE, placeOf, requestName, splitOid } from './names.ts';
import * as q from './queries.ts';
import { type Quota, reserve } from './quota.ts';
import { removeRows } from './remove-objects.ts';
import type { UploadRange } from './upload-range.ts';

export interface UploadRequest {
  readonly caller: Caller;
  readonly path: ObjectPath;
  readonly params: ObjectParameters;
  readonly range: UploadRange | undefined;
  /** Length of the body in bytes, if the request states it. */
  readonly length: number | undefined;
}

/** The object that an upload writes. Only the upload that has this slot may write to the object. */
export interface UploadSlot {
  readonly accountId: number;
  readonly oid: string;
  readonly place: string;
  readonly key: string;
  /** Random name of this write, different for every write. */
  readonly writer: string;
  /**
   * Size of the whole object in bytes; undefined until the last byte has arrived, if the request does not announce the
   * size.
   */
  readonly size: number | undefined;
  /** True if this upload created the object. */
  readonly isNew: boolean;
  /** Bytes of the object that are already stored. */
  readonly received: number;
  /** Largest size in bytes that the whole object may have. */
  readonly most: number;
  readonly type: string;
  readonly name: string;
}

export interface UploadSlotDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly access: Access<Tx>;
  readonly quota: Quota;
  readonly objectBytes: number;
  /** Removes bytes that no row names any more. */
  readonly forgetBytes: (key: string) => void;
}

/** Either a slot to write to, or the row of an object that is already complete. */
export type OpenedUpload = { readonly slot: UploadSlot } | { readonly whole: q.ObjectRow };

/**
 * Milliseconds that an object stays reserved after the server of its upload crashed. This is longer than the time
 * between two renewals, so that a running upload keeps its object.
 */
export const LEASE_MS = 20_000;
/** Largest size in bytes of a preview or of a hash object. */
const SIDE_BYTES = 16 * 1024 * 1024;

export function createUploadSlots({ store, clock, random, access, quota, objectBytes, forgetBytes }: UploadSlotDeps) {
  function requireFree(row: q.ObjectRow): void {
    // A SQLite database has one server, so a writer that is still recorded was left by a crash.
    if (row.writer === null || store.kind === 'sqlite' || row.lease_time <= clock.now()) return;
    throw new ApiError('UPLOAD_CONFLICT', `another server is writing ${row.oid}; try again in ${LEASE_MS / 1000} s`);
  }

  /**
   * Removes a preview that the server made, because the client's own preview replaces it. Returns any other row
   * unchanged.
   */
  async function exceptMade(tx: Tx, row: q.ObjectRow | undefined): Promise<q.ObjectRow | undefined> {
    if (row?.category !== MADE) return row;
    const keys = await removeRows(tx, row.account_id, [row.oid]);
    tx.onCommit(() => {
      for (const key of keys) forgetBytes(key);
    });
    return undefined;
  }

  async function open(tx: Tx, wanted: UploadRequest): Promise<OpenedUpload> {
    const { caller, path, params, range } = wanted;
    const { accountId } = caller;
    await holdLiving(tx, accountId);
    const row = await exceptMade(tx, await find(tx, access, wanted));
    if (row?.whole === 1) return { whole: row };
    if (row) requireFree(row);
    const most = splitOid(path.oid).side ? Math.min(SIDE_BYTES, objectBytes) : objectBytes;
    const size = sizeOf(wanted, row, most);
    const received = range ? (row?.received ?? 0) : 0;
    if (range && range.first > received) {
      throw new ApiError(
        'RANGE_NOT_SATISFIABLE',
        `Range begins at ${range.first}; the object has ${received} bytes so far`,
      );
    }
    const reserved = size ?? 0;
    const now = clock.now();
    const room = await reserve(tx, quota, accountId, { objects: row ? 0 : 1, bytes: reserved - (row?.reserved ?? 0) });
    // A restarted upload gets a new key, so that an earlier writer cannot damage the new bytes.
    const key = received > 0 && row ? row.object_key : drawKey(random);
    const oid = row?.oid ?? (isRequestName(path.oid) ? drawOid(random) : path.oid);
    if (row && row.object_key !== key) tx.onCommit(() => forgetBytes(row.object_key));
    const writer = drawKey(random);
    const lease = now + LEASE_MS;
    const name = params.name ?? row?.name ?? '';
    const type = params.type ?? row?.type ?? '';
    if (row) await tx.run(q.beginWrite, key, size ?? null, received, reserved, writer, lease, now, accountId, oid);
    else {
      const requested = isRequestName(path.oid) ? requestName(path) : null;
      const category = params.cat === 'original' ? params.cat : '';
      await tx.run(
        ...[q.insertObject, accountId, oid, placeOf(path), requested, key, size ?? null, reserved],
        ...[name, type, category, writer, lease, now, now],
      );
    }
    return {
      slot: {
        ...{ accountId, oid, place: placeOf(path), key, writer, size, received, name, type },
        isNew: row === undefined,
        most: size ?? Math.min(most, room),
      },
    };
  }

  return (wanted: UploadRequest): Promise<OpenedUpload> => store.transact((tx) => open(tx, wanted));
}

/**
 * Returns the row that an upload's path names, and locks it; undefined if there is none yet.
 * @throws NOT_FOUND_PATH if the path names nothing that the caller can see. OBJECT_FORBIDDEN or OBJECT_REQUEST if the
 * caller may not upload to the message.
 */
async function find(tx: Tx, access: Access<Tx>, { caller, path }: UploadRequest): Promise<q.ObjectRow | undefined> {
  const { accountId } = caller;
  const { base, side } = splitOid(path.oid);
  const own = (oid: string) => tx.one(q.lockObject, accountId, oid);
  if (kindOf(path) === 'plain' && !isRequestName(base)) {
    await access.messageToFill(tx, caller, base);
    if (side === 'hash') throw noObject(path.oid);
    return own(path.oid);
  }
  if (isRequestName(path.oid)) {
    const row = await tx.one(q.objectByRequest, accountId, requestName(path));
    return row && own(row.oid);
  }
  // The server chooses the names of sealed objects and covers. So an upload under such a name must continue an existing
  // object, or add a preview or hash to it.
  const main = await own(base);
  if (main?.place !== placeOf(path) || (side === 'hash' && path.sid !== 'emv')) throw noObject(path.oid);
  return side ? own(path.oid) : main;
}

/**
 * Returns the announced size of the whole object in bytes; undefined if the request does not tell it.
 * @throws BODY_TOO_LARGE if the object is too large, RANGE_NOT_SATISFIABLE if an earlier request announced another size
 */
function sizeOf({ range, length }: UploadRequest, row: q.ObjectRow | undefined, most: number): number | undefined {
  const size = range?.size ?? length;
  if (size !== undefined && size > most) {
    throw new ApiError('BODY_TOO_LARGE', `an object of ${size} bytes; the most is ${most}`);
  }
  if (range && row && row.size !== null && row.size !== range.size) {
    throw new ApiError('RANGE_NOT_SATISFIABLE', `the object was begun with ${row.size} bytes, not ${range.size}`);
  }
  return size;
}
