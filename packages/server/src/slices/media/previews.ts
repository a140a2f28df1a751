// Creates previews of plain media and reads their sizes and durations. This happens after the upload was answered, so
// that a failure here does not make the upload fail.

import type { Clock, Random } from '@sealpost/contract/ports';
import type { Logger } from '../../platform/kernel/logger.ts';
import { type Objects, wholeOf } from '../../platform/objects/objects.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import type { Examination, Examiner } from './examiner.ts';
import { keeper, type MadeObject } from './made-objects.ts';
import { kindAt, MADE, sideName, splitOid } from './names.ts';
import type { Details } from './object-info.ts';
import * as q from './queries.ts';
import { noRoom, type Quota, reserve } from './quota.ts';

export interface PreviewDeps {
  readonly store: Store;
  readonly objects: Objects;
  readonly clock: Clock;
  readonly random: Random;
  readonly quota: Quota;
  readonly examiner: Examiner;
  readonly logger: Logger;
  /** Removes bytes that no row names. */
  readonly forgetBytes: (key: string) => void;
}

export interface ObjectReference {
  readonly accountId: number;
  readonly oid: string;
}

export interface Previews {
  /** Examines a completely uploaded object. Resolves when done, even if nothing was found. */
  examine(named: ObjectReference): Promise<void>;
}

/** Size in bytes of the largest file that is examined. The limit exists because the whole file is held in memory. */
const BYTES = 20 * 1024 * 1024;
const EDGE = 640;
const EXAMINED = /^(image|audio|video)\//;

export function createPreviews(deps: PreviewDeps): Previews {
  const { store, objects, clock, examiner } = deps;
  const keep = keeper(objects, deps.random);
  const under = new Map<string, Promise<void>>();

  async function look(row: q.ObjectRow): Promise<void> {
    const bytes = await wholeOf(await objects.read(row.object_key));
    const found = await examiner.examine({ bytes, edges: [EDGE] });
    if (!found.ok) return;
    const [scaled] = found.picture?.scaled ?? found.cover ?? [];
    const preview = scaled && (await keep(scaled));
    const isNamed = await store.transact(async (tx) => {
      const now = await tx.one(q.lockObject, row.account_id, row.oid);
      if (now?.object_key !== row.object_key) return false;
      await tx.run(q.setDetails, JSON.stringify(detailsFrom(row, found)), row.account_id, row.oid);
      return preview !== undefined && insert(tx, row, preview);
    });
    if (preview && !isNamed) deps.forgetBytes(preview.key);
  }

  /** Inserts the row of a preview. Returns false if the object has a preview, or the account has no room for one. */
  async function insert(tx: Tx, row: q.ObjectRow, { key, size, hash }: MadeObject): Promise<boolean> {
    const { account_id: accountId, place } = row;
    const name = sideName(row.oid, 'preview');
    const usage = { objects: 1, bytes: size };
    if ((await tx.one(q.objectOf, accountId, name)) || (await noRoom(tx, deps.quota, accountId, usage))) return false;
    await reserve(tx, deps.quota, accountId, usage);
    await tx.run(
      ...[q.insertWhole, accountId, name, place, null, key, size, size, size, hash],
      ...['', 'image', MADE, 'image/jpeg', '{}', clock.now(), clock.now()],
    );
    return true;
  }

  async function examine({ accountId, oid }: ObjectReference): Promise<void> {
    const row = await store.read((reader) => reader.one(q.objectOf, accountId, oid));
    const plain = row && kindAt(row.place) === 'plain' && splitOid(oid).side === undefined;
    if (plain && row.whole === 1 && EXAMINED.test(row.mime) && (row.size ?? 0) <= BYTES) await look(row);
  }

  return {
    examine(named) {
      const key = `${named.accountId} ${named.oid}`;
      const running = under.get(key);
      if (running) return running;
      const work = examine(named)
        .catch((error: unknown) => deps.logger.warn({ error }, 'an object got no preview'))
        .finally(() => under.delete(key));
      under.set(key, work);
      return work;
    },
  };
}

function detailsFrom(row: q.ObjectRow, found: Examination & { ok: true }): Details {
  const size = row.size ?? 0;
  const { picture, durationMillis } = found;
  if (picture) return { imageDetails: { format: picture.format, height: picture.height, width: picture.width } };
  if (durationMillis === undefined) return {};
  return row.mime.startsWith('video/')
    ? { videoMp4Details: { size, durationMillis } }
    : { audioM4aDetails: { size, durationMillis } };
}
