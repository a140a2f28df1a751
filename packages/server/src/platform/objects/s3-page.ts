// Lists the objects of a bucket in the order of their keys.
import { isKey, type ObjectKey, type ObjectState, type StoredObject } from './objects.ts';
import { PUBLISHED, publishedName, type S3Place } from './s3-place.ts';

export const page = (place: S3Place, state: ObjectState, after: ObjectKey, limit: number): Promise<StoredObject[]> =>
  state === 'unpublished' ? unpublishedAfter(place, after, limit) : first(listed(place, `${state}/`, after), limit);

async function* listed({ bucket }: S3Place, folder: string, after: ObjectKey): AsyncGenerator<StoredObject> {
  for await (const { name, changedTime } of bucket.list(folder, folder + after)) {
    const key = name.slice(folder.length);
    if (isKey(key)) yield { key, changedTime };
  }
}

async function* uploadsAfter({ bucket }: S3Place, after: ObjectKey): AsyncGenerator<StoredObject> {
  for await (const { name, startedTime } of bucket.uploads(PUBLISHED, publishedName(after))) {
    const key = name.slice(PUBLISHED.length);
    if (isKey(key)) yield { key, changedTime: startedTime };
  }
}

/** Returns objects that have a checkpoint, and uploads that broke off before their first checkpoint. */
async function unpublishedAfter(place: S3Place, after: ObjectKey, limit: number): Promise<StoredObject[]> {
  const found = new Map<ObjectKey, StoredObject>();
  for (const source of [uploadsAfter(place, after), place.checkpoints.keys(after)]) {
    for (const object of await first(source, limit)) {
      const changedTime = Math.max(object.changedTime, found.get(object.key)?.changedTime ?? 0);
      found.set(object.key, { key: object.key, changedTime });
    }
  }
  return [...found.values()].sort((a, b) => (a.key < b.key ? -1 : 1)).slice(0, limit);
}

async function first(source: AsyncGenerator<StoredObject>, limit: number): Promise<StoredObject[]> {
  const found = new Map<ObjectKey, StoredObject>();
  for await (const object of source) {
    if (found.size >= limit && !found.has(object.key)) break;
    found.set(object.key, object);
  }
  return [...found.values()];
}
