// Checks at start that the objects belong to this database, before the server removes any object. The database and the
// object storage carry the same id. Older storage has no id and is recognized by its objects.
import { ConfigError } from '../../platform/kernel/config-error.ts';
import { keySpaces, type Objects } from '../../platform/objects/objects.ts';
import { ownerPlace } from '../../platform/objects/owned.ts';
import type { Store } from '../../platform/store/store.ts';
import * as q from './queries.ts';

/**
 * Maximum number of stored objects that are looked up in the database. One known key is proof enough, because keys are
 * random.
 */
const LOOKED_AT = 1000;

/**
 * Checks that object storage belongs to this database. Storage without an id gets the database's id.
 * @throws ConfigError if the objects belong to another database
 */
export async function requireOwnObjects(store: Store, objects: Objects, id: string): Promise<void> {
  const owner = await objects.owner();
  if (owner === id) return;
  const problem =
    owner === undefined ? await mismatchOf(store, objects) : `they carry the id ${owner}, this database has ${id}`;
  if (problem === undefined) return objects.claim(id);
  throw new ConfigError(
    `objects-url names ${objects.location}, and the objects there are not those of the database at ${store.location}: ${problem}. A server that started would take its media for lost, and remove those of others. Set data-dir, database-url and objects-url to the places that belong together. To give these objects to this database on purpose, write ${id} into ${ownerPlace(objects)}.`,
  );
}

/**
 * Returns why storage without an id cannot belong to this database. Returns undefined if the database knows one of the
 * stored keys, or if database and storage have no objects.
 */
async function mismatchOf(store: Store, objects: Objects): Promise<string | undefined> {
  const expected = (await store.read((reader) => reader.one(q.someWhole))) !== undefined;
  const stored = await objects.page('published', keySpaces.media, LOOKED_AT);
  const keys = stored.map(({ key }) => key).filter((key) => key.startsWith(keySpaces.media));
  if (keys.length === 0) return expected ? 'the database names objects, and there are none' : undefined;
  const known = await store.read((reader) =>
    reader.each(
      q.keysInUse,
      keys.map((key) => [key]),
    ),
  );
  if (known.length > 0) return undefined;
  return expected ? 'the database names others' : 'there are objects, and the database names none';
}
