// Reads the bytes of an object inside the server, as they are stored.
import type { Objects } from '../../platform/objects/objects.ts';
import type { Caller } from '../../platform/rpc/call.ts';
import type { ObjectPath } from '../../platform/rpc/object-paths.ts';
import type { Reader, Store } from '../../platform/store/store.ts';
import { type Access, noObject } from './access.ts';
import { publicRow } from './downloads.ts';
import { kindOf } from './names.ts';

/** The bytes of an object. A piece is valid until the next one is requested. */
export interface StoredBytes {
  readonly name: string;
  readonly size: number;
  readonly bytes: AsyncIterable<Buffer> | readonly Buffer[];
}

/**
 * Returns the bytes of an object that an account may read.
 * @param messageId the message that carries a sealed object
 * @throws NOT_FOUND_PATH if there is no such object for the account
 */
export type ReadStored = (caller: Caller, path: ObjectPath, messageId?: number) => Promise<StoredBytes>;

export function createReadStored(
  store: Store,
  objects: Pick<Objects, 'read'>,
  access: Pick<Access<Reader>, 'forReading'>,
): ReadStored {
  return async (caller, path, messageId) => {
    const row =
      kindOf(path) === 'picture'
        ? await publicRow(store, path)
        : (await store.read((reader) => access.forReading(reader, caller, path, messageId))).row;
    if (row?.whole !== 1) throw noObject(path.oid);
    const { name, object_key: key } = row;
    const size = row.size ?? 0;
    return { name, size, bytes: size === 0 ? [] : await objects.read(key, { start: 0, end: size - 1 }) };
  };
}
