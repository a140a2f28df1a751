// Removes abandoned uploads, bytes that no row names, and media older than the retention time. Bytes of complete
// objects that no row names first go to quarantine, because the database may be damaged or the wrong one.
import { limits } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { Logger } from '../../platform/kernel/logger.ts';
import { keySpaces, type ObjectState, type Objects, type StoredObject } from '../../platform/objects/objects.ts';
import type { Reader, Store } from '../../platform/store/store.ts';
import * as q from './queries.ts';
import { type HoldMessages, type LoseContent, lockWithMessages, removeObjects } from './remove-objects.ts';

export interface SweepDeps {
  readonly store: Store;
  readonly objects: Objects;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Days that media are kept; 0 keeps them for ever. */
  readonly mediaDays: number;
  /** Returns the time before which the operator ordered to remove media; 0 without an order. */
  readonly orderedBefore: (reader: Reader) => Promise<number>;
  readonly quarantineDays: number;
  readonly sweepPercent: number;
  readonly loseContent: LoseContent;
  readonly holdMessages: HoldMessages;
  readonly forgetBytes: (key: string) => void;
}

const DAY_MS = 86_400_000;
const KEYS = 500;
/**
 * Number of objects that a sweep may always remove or quarantine, whatever the percentage setting. In a small storage,
 * a few objects are a large percentage, so such a storage would otherwise never be swept.
 */
const FEW = 10;
const ROWS = 500;
const FIRST = keySpaces.media;
/**
 * Age in milliseconds below which bytes without a row are kept, because an upload stores bytes shortly before their
 * row.
 */
const YOUNG_MS = limits.uploadWindowMs.value;
const WARN_AGAIN_MS = 3_600_000;

export function createSweep(deps: SweepDeps) {
  const { store, objects, clock, logger, sweepPercent } = deps;
  const after: Record<ObjectState, string> = { unpublished: FIRST, published: FIRST, quarantined: FIRST };
  let warnedTime = 0;

  /**
   * Returns the next page of objects in a state, and those of them that no row names. Keys are random, so each page is
   * a fair sample.
   */
  async function nextPage(state: ObjectState): Promise<{ page: StoredObject[]; unnamed: StoredObject[] }> {
    const found = await objects.page(state, after[state], KEYS);
    const page = found.filter(({ key }) => key.startsWith(FIRST));
    after[state] = page.length === KEYS ? (page.at(-1)?.key ?? FIRST) : FIRST;
    if (page.length === 0) return { page, unnamed: [] };
    const keys = page.map(({ key }) => [key]);
    const rows = await store.read((reader) => reader.each(q.keysInUse, keys));
    const named = new Set(rows.map((row) => row.object_key));
    return { page, unnamed: page.filter(({ key }) => !named.has(key)) };
  }

  const olderThan = (ms: number) => (object: StoredObject) => object.changedTime <= clock.now() - ms;

  async function sweepUnpublished(): Promise<void> {
    const { page, unnamed } = await nextPage('unpublished');
    const old = unnamed.filter(olderThan(YOUNG_MS));
    if (isTooMany(old, page)) return;
    for (const { key } of old) await objects.remove(key);
    if (old.length > 0) logger.info({ removed: old.length, seen: page.length }, 'removed unfinished uploads');
  }

  async function sweepPublished(): Promise<void> {
    const { page, unnamed } = await nextPage('published');
    const old = unnamed.filter(olderThan(YOUNG_MS));
    if (isTooMany(old, page)) return;
    for (const { key } of old) await objects.quarantine(key);
    if (old.length > 0) {
      logger.info({ quarantined: old.length, seen: page.length }, 'objects that no row names went to quarantine');
    }
  }

  /** Returns whether so many objects are unnamed that the database is probably the wrong one. If so, logs an error. */
  function isTooMany(old: readonly StoredObject[], page: readonly StoredObject[]): boolean {
    if (old.length <= FEW || old.length * 100 <= page.length * sweepPercent) return false;
    if (clock.now() - warnedTime >= WARN_AGAIN_MS) {
      warnedTime = clock.now();
      logger.error(
        { unnamed: old.length, seen: page.length, sweepPercent, objects: objects.location, database: store.location },
        'the sweep of objects stopped: the database names too few of them. Is it the right one? If so, raise sweep-percent for a while',
      );
    }
    return true;
  }

  /** Restores quarantined objects that a row names again, and removes the others after their time in quarantine. */
  async function sweepQuarantine(): Promise<void> {
    const { page, unnamed } = await nextPage('quarantined');
    const named = page.filter((object) => !unnamed.includes(object));
    const old = unnamed.filter(olderThan(deps.quarantineDays * DAY_MS));
    for (const { key } of named) await objects.bringBack(key);
    for (const { key } of old) await objects.remove(key);
    if (named.length + old.length > 0) {
      logger.info({ broughtBack: named.length, removed: old.length }, 'looked through the quarantine of objects');
    }
  }

  return {
    async bytes(): Promise<void> {
      await sweepUnpublished();
      await sweepPublished();
      await sweepQuarantine();
    },

    account: (accountId: number): Promise<void> => sweepAccount(deps, accountId),
  };
}

/** Removes an account's abandoned uploads, and its media that are older than the retention time. */
async function sweepAccount(deps: SweepDeps, accountId: number): Promise<void> {
  const { store, clock, mediaDays, orderedBefore, loseContent, holdMessages, forgetBytes } = deps;
  const now = clock.now();
  const untouchedSince = now - YOUNG_MS;
  const set = mediaDays === 0 ? 0 : now - mediaDays * DAY_MS;
  const found = await store.read(async (reader) => {
    const madeBefore = Math.max(set, await orderedBefore(reader));
    const old = [
      ...(await reader.all(q.abandoned, accountId, untouchedSince, ROWS)),
      ...(await reader.all(q.mediaOlderThan, accountId, madeBefore, ROWS)),
    ];
    return { madeBefore, oids: [...new Set(old.map(({ oid }) => oid))] };
  });
  if (found.oids.length === 0) return;
  await store.transact(async (tx) => {
    // The objects are checked again under their locks. An upload that went on since then keeps its object.
    const rows = found.oids.map((oid) => [accountId, oid, untouchedSince, found.madeBefore]);
    const lock = () => tx.each(q.lockExpired, rows);
    const { locked } = await lockWithMessages(tx, holdMessages, accountId, found.oids, lock);
    const oids = locked.map(({ oid }) => oid);
    const keys = await removeObjects(tx, loseContent, accountId, oids);
    tx.onCommit(() => {
      for (const key of keys) forgetBytes(key);
    });
  });
}
