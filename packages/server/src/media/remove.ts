import type { Objects } from '../objects/objects.ts';
import type { Store, Tx } from '../store/store.ts';
import * as q from './queries.ts';

/** Removes objects of an account, as far as they exist; answers the keys of bytes that may be needed no more. */
export async function removeRows(tx: Tx, accountId: number, oids: readonly string[]): Promise<string[]> {
  const keys: string[] = [];
  for (const oid of oids) {
    const row = await tx.one(q.deleteObject, accountId, oid);
    if (!row) continue;
    await tx.run(q.addUsage, -1, -row.reserved, accountId);
    keys.push(row.object_key);
  }
  return keys;
}

/** Removes all that an account has; answers the keys of bytes that may be needed no more. */
export async function removeAccount(tx: Tx, accountId: number): Promise<string[]> {
  const rows = await tx.all(q.deleteObjectsOf, accountId);
  await tx.run(q.dropCarriersOf, accountId);
  await tx.run(q.dropUsage, accountId);
  return rows.map((row) => row.object_key);
}

/** Removes bytes that no object refers to. What fails here is found by the sweep. */
export async function removeBytes(store: Store, objects: Objects, key: string): Promise<void> {
  const used = await store.read((reader) => reader.one(q.keyInUse, key));
  if (!used) await objects.remove(key);
}
