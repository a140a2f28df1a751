// Removes old backups, and the parts and objects that no other backup needs.
import type { ObjectKey, Objects } from '../../platform/objects/objects.ts';
import { isPublished } from '../copy-object.ts';
import { type BackupPlace, keysOf } from './backup-place.ts';
import type { Manifest } from './manifest.ts';
import { listed } from './object-list.ts';

export interface Pruned {
  readonly backups: number;
  readonly objects: number;
}

/**
 * Keeps the newest backups and removes the others. Manifests go first, so an interrupted removal leaves no backup that
 * looks whole and is not.
 * @throws Error if the manifest of a kept backup is damaged, because its parts are not known; nothing is removed then
 */
export async function keepNewest(place: BackupPlace, keep: number | undefined): Promise<Pruned> {
  const ids = await place.ids();
  const old = keep === undefined ? [] : ids.slice(0, Math.max(0, ids.length - keep));
  if (old.length === 0) return { backups: 0, objects: 0 };
  const kept: Manifest[] = [];
  for (const id of ids.slice(old.length)) kept.push(await place.manifest(id));
  for (const id of old) await place.removeManifest(id);
  await removeExcept(place.parts, partsOf(kept));
  const lists = kept.flatMap(({ media, stickers }) => [media, stickers]);
  const objects = await removeExcept(
    place.objects,
    lists.map((list) => keysIn(listed(place, list))),
  );
  return { backups: old.length, objects };
}

async function* keysIn(objects: AsyncIterable<{ readonly key: ObjectKey }>): AsyncGenerator<ObjectKey> {
  for await (const { key } of objects) yield key;
}

function partsOf(manifests: readonly Manifest[]): Iterable<ObjectKey>[] {
  return manifests.map(({ tables, media, stickers, adminToken }) => {
    const parts = [...tables.flatMap((table) => table.parts), ...media.parts, ...stickers.parts];
    return [...parts, ...(adminToken ? [adminToken] : [])].map(({ key }) => key).sort();
  });
}

/**
 * Removes the objects of a store that no list names, and the unfinished objects of interrupted backups. The lists are
 * sorted. They are read in parallel with the store, so none of them has to be in memory.
 */
async function removeExcept(
  store: Objects,
  lists: readonly (AsyncIterable<ObjectKey> | Iterable<ObjectKey>)[],
): Promise<number> {
  const cursors = lists.map((list) => cursorOn(list));
  let removed = 0;
  for await (const key of keysOf(store, 'published')) {
    const named = await Promise.all(cursors.map((reach) => reach(key)));
    if (named.includes(true)) continue;
    await store.remove(key);
    removed += 1;
  }
  for await (const key of keysOf(store, 'unpublished')) {
    if (!(await isPublished(store, key))) await store.remove(key);
  }
  return removed;
}

/** Returns a function that tells whether a list has a key. It must be asked in the order of keys. */
function cursorOn(list: AsyncIterable<ObjectKey> | Iterable<ObjectKey>): (key: ObjectKey) => Promise<boolean> {
  const keys = (async function* () {
    yield* list;
  })();
  let current: ObjectKey | undefined = '';
  return async (key) => {
    while (current !== undefined && current < key) {
      const next: IteratorResult<ObjectKey> = await keys.next();
      current = next.done ? undefined : next.value;
    }
    return current === key;
  };
}
