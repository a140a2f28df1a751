import type { ObjectKey, Objects } from '../../platform/objects/objects.ts';

/** Stores an object, and replaces an object with the same key. */
export async function replace(store: Objects, key: ObjectKey, bytes: Buffer): Promise<void> {
  await store.append(key, 0, [[bytes]]);
  await store.publish(key);
}
