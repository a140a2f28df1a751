// Records the progress of uploads in the store. Only the writer that reserved an object may change its row.
import { ApiError } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { CrashPoint } from '../../platform/kernel/ports.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import type { Inspection } from './inspect.ts';
import * as q from './queries.ts';
import { type Quota, reserve } from './quota.ts';
import { type GainContent, type HoldMessages, lockWithMessages } from './remove-objects.ts';
import { LEASE_MS, type UploadSlot } from './upload-slot.ts';

export interface UploadRecordDeps {
  readonly store: Store;
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
   * @throws UPLOAD_CONFLICT if another writer took the object over
   */
  note(slot: UploadSlot, received: number): Promise<void>;
  /**
   * Records the durable bytes at the end of a request.
   * @throws UPLOAD_CONFLICT if another writer took the object over
   */
  end(slot: UploadSlot, received: number): Promise<void>;
  /** Restores the object to its state before a refused request. An object that the request created is removed. */
  undo(slot: UploadSlot): Promise<void>;
  /**
   * Records that the object is complete, and marks the messages that carry it as having content.
   * @throws UPLOAD_CONFLICT if another writer took the object over
   */
  complete(slot: UploadSlot, object: CompletedObject): Promise<void>;
}

const takenOver = ({ oid }: UploadSlot): ApiError =>
  new ApiError('UPLOAD_CONFLICT', `the object ${oid} was taken over or removed`);

export function createUploadRecord(deps: UploadRecordDeps): UploadRecord {
  const { store, clock } = deps;

  async function end(slot: UploadSlot, received: number): Promise<void> {
    const now = clock.now();
    const held = await store.transact((tx) => tx.one(q.endWrite, received, now, slot.accountId, slot.oid, slot.writer));
    if (!held) throw takenOver(slot);
  }

  return {
    renewLease: (slot) =>
      store.transact((tx) => tx.run(q.renewLease, clock.now() + LEASE_MS, slot.accountId, slot.oid, slot.writer)),
    async note(slot, received) {
      const now = clock.now();
      const held = await store.transact((tx) =>
        tx.one(q.noteReceived, received, now + LEASE_MS, now, slot.accountId, slot.oid, slot.writer),
      );
      if (!held) throw takenOver(slot);
      deps.crashPoint('upload.noted');
    },
    end,
    async undo(slot) {
      if (!slot.isNew) return end(slot, slot.received);
      await store.transact(async (tx) => {
        const row = await tx.one(q.endNew, slot.accountId, slot.oid, slot.writer);
        if (row) await tx.run(q.addUsage, -1, -row.reserved, slot.accountId);
        tx.onCommit(() => deps.forgetBytes(slot.key));
      });
    },
    complete: (slot, object) => store.transact((tx) => complete(tx, deps, slot, object)),
  };
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
    tx.one(
      ...[q.makeWhole, size, size, size, hash, mime, JSON.stringify(details)],
      ...[clock.now(), accountId, oid, writer],
    );
  const { messageIds, locked } = await lockWithMessages(tx, holdMessages, accountId, [oid], makeWhole);
  if (!locked) throw takenOver(slot);
  await reserve(tx, quota, accountId, { objects: 0, bytes: size - (slot.size ?? 0) });
  await gainContent(tx, messageIds, accountId);
}
