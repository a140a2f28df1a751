// Records the progress of uploads in the store. Only the writer that reserved an object may change its row.
import { ApiError } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { CrashPoint } from '../../platform/kernel/ports.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import type { Inspection } from './inspect.ts';
import * as q from './queries.ts';
import { type Quota, reserve } from './quota.ts';
import { type GainContent, type HoldMessages, lockWithMessages } from './remove-objects.ts';
import { LEASE_MS, type UploadSlot } from './upload-slot.ts';

export interface UploadRecordDeps {
  readonly store: Store;
  readonly objects: Objects;
  readonly clock: Clock;
  readonly crashPoint: CrashPoint;
  readonly quota: Quota;
  /** Marks the messages that refer to a completed object as having content. */
  readonly gainContent: GainContent;
  readonly holdMessages: HoldMessages;
  /** Removes bytes that no row names any more. */
  readonly forgetBytes: (key: string) => void;
}

interface CompletedObject {
  readonly size: number;
  readonly hash: string;
  readonly inspection: Inspection;
}

export interface UploadRecord {
  /** Extends the time for which the object is reserved for its writer. */
  renewLease(slot: UploadSlot): Promise<void>;
  /**
   * Records the durable bytes while the upload continues.
   * @throws UPLOAD_CONFLICT if another writer took the object over, OBJECT_QUOTA if the account has no room for them
   */
  note(slot: UploadSlot, received: number): Promise<void>;
  /**
   * Records the durable bytes at the end of a request.
   * @throws UPLOAD_CONFLICT if another writer took the object over, OBJECT_QUOTA if the account has no room for them
   */
  end(slot: UploadSlot, received: number): Promise<void>;
  /** Removes the bytes of a refused request. An object that the request created is removed. */
  undo(slot: UploadSlot): Promise<void>;
  /**
   * Records that the object is complete, and marks the messages that carry it as having content.
   * @throws UPLOAD_CONFLICT if another writer took the object over, OBJECT_QUOTA if the account has no room for it
   */
  complete(slot: UploadSlot, object: CompletedObject): Promise<void>;
}

const takenOver = ({ oid }: UploadSlot): ApiError =>
  new ApiError('UPLOAD_CONFLICT', `the object ${oid} was taken over or removed`);

export function createUploadRecord(deps: UploadRecordDeps): UploadRecord {
  const { store, clock, quota } = deps;

  async function end(slot: UploadSlot, received: number): Promise<void> {
    const now = clock.now();
    await store.transact(async (tx) => {
      const row = await tx.one(q.endWrite, received, now, slot.accountId, slot.oid, slot.writer);
      await settle(tx, quota, slot, row, received);
    });
  }

  return {
    renewLease: (slot) =>
      store.transact((tx) => tx.run(q.renewLease, clock.now() + LEASE_MS, slot.accountId, slot.oid, slot.writer)),
    async note(slot, received) {
      const now = clock.now();
      await store.transact(async (tx) => {
        const row = await tx.one(
          ...[q.noteReceived, received, now + LEASE_MS, now, slot.accountId, slot.oid, slot.writer],
        );
        await settle(tx, quota, slot, row, received);
      });
      deps.crashPoint('upload.noted');
    },
    end,
    async undo(slot) {
      if (slot.isNew) {
        await store.transact(async (tx) => {
          const row = await tx.one(q.endNew, slot.accountId, slot.oid, slot.writer);
          if (row) await tx.run(q.addUsage, -1, -row.reserved, slot.accountId);
          tx.onCommit(() => deps.forgetBytes(slot.key));
        });
        return;
      }
      await end(slot, slot.received);
      // The next write of an object without bytes gets another key.
      if (slot.received === 0) await deps.objects.remove(slot.key);
    },
    complete: (slot, object) => store.transact((tx) => complete(tx, deps, slot, object)),
  };
}

/**
 * Makes an object's part of the quota right after a change of its row. A body without a length reserves nothing in
 * advance, so its bytes are counted when they have arrived.
 * @param row the changed row; undefined if another writer has the object
 */
async function settle(
  tx: Tx,
  quota: Quota,
  slot: UploadSlot,
  row: { readonly reserved: number } | undefined,
  received: number,
): Promise<void> {
  if (!row) throw takenOver(slot);
  const { accountId, oid, size = received } = slot;
  if (size === row.reserved) return;
  await reserve(tx, quota, accountId, { objects: 0, bytes: size - row.reserved });
  await tx.run(q.setReserved, size, accountId, oid);
}

async function complete(
  tx: Tx,
  { clock, quota, gainContent, holdMessages }: UploadRecordDeps,
  slot: UploadSlot,
  { size, hash, inspection }: CompletedObject,
): Promise<void> {
  const { mime, details } = inspection;
  const { accountId, oid, writer } = slot;
  const makeWhole = () =>
    tx.one(...[q.makeWhole, size, size, hash, mime, JSON.stringify(details)], ...[clock.now(), accountId, oid, writer]);
  const { messageIds, locked } = await lockWithMessages(tx, holdMessages, accountId, [oid], makeWhole);
  await settle(tx, quota, slot, locked, size);
  await gainContent(tx, messageIds, accountId);
}
