// Lists of the objects of a backup. A list is written and read piece by piece, because it may be long.
import type { Database } from '../database/database.ts';
import * as q from '../queries.ts';
import type { BackupPlace } from './backup-place.ts';
import type { ObjectList } from './manifest.ts';
import { PartWriter } from './part-writer.ts';

export interface ListedObject {
  readonly key: string;
  readonly size: number | null;
  /** SHA-256 in hex; null if it is not known yet. */
  readonly hash: string | null;
}

const PAGE = 500;

/** Returns the objects that the database names, in the order of their keys. */
export async function* namedObjects({ reader }: Database): AsyncGenerator<ListedObject> {
  for (let after = ''; ; ) {
    const rows = await reader.all(q.objectsAfter, after, PAGE);
    for (const row of rows) yield { key: row.object_key, size: row.size, hash: row.hash };
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.object_key;
  }
}

/** Writes a list of objects into a place of backups. */
export async function putList(
  place: BackupPlace,
  objects: AsyncIterable<ListedObject> | Iterable<ListedObject>,
): Promise<ObjectList> {
  const writer = new PartWriter(place);
  let [count, bytes] = [0, 0];
  for await (const { key, size, hash } of objects) {
    count += 1;
    bytes += size ?? 0;
    await writer.add(JSON.stringify([key, size, hash]));
  }
  return { count, bytes, parts: await writer.end() };
}

/** Returns the objects of a list. */
export async function* listed(place: BackupPlace, list: ObjectList): AsyncGenerator<ListedObject> {
  for (const part of list.parts) {
    for (const line of (await place.readPart(part)).split('\n')) {
      const [key, size, hash]: [string, number | null, string | null] = JSON.parse(line);
      yield { key, size, hash };
    }
  }
}
