// The bytes of sticker and emoji pictures, and of sounds. The bytes of built-in packs are in memory. The bytes of
// imported packs are in object storage, where every server finds them. A picture never changes.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { keySpaces, type ObjectKey, ObjectMissing, type Objects, wholeOf } from '../../platform/objects/objects.ts';
import type { NumberedPack } from './built-in.ts';
import { picturesOf } from './product-ids.ts';

export interface StoredPicture {
  readonly bytes: Buffer;
  readonly etag: string;
}

export interface Pictures {
  /** Returns the picture or sound at a public path; undefined if there is none. */
  find(path: string): Promise<StoredPicture | undefined>;
  /** Stores the pictures and sounds of an imported pack durably. */
  keep(pack: NumberedPack): Promise<void>;
}

const REMEMBERED_BYTES = 32 * 1024 * 1024;
/** Form of the paths of pictures and sounds. Paths of another form are not looked up. */
const PATH = /^\/(stickershop\/v1\/sticker|sticonshop\/v1\/sticon)\/[\w-]{1,64}\/android\/\w{1,32}\.(png|m4a)$/;

export function createPictures(objects: Objects, builtIn: readonly NumberedPack[]): Pictures {
  const own = new Map(builtIn.flatMap(picturesOf).map(([path, bytes]) => [path, stored(bytes)]));
  const remembered = new LRUCache<string, StoredPicture>({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length,
  });

  async function load(path: string): Promise<StoredPicture | undefined> {
    try {
      const picture = stored(await wholeOf(await objects.read(keyOf(path))));
      remembered.set(path, picture);
      return picture;
    } catch (error) {
      if (error instanceof ObjectMissing) return undefined;
      throw error;
    }
  }

  return {
    find: async (path) => {
      if (!PATH.test(path)) return undefined;
      return own.get(path) ?? remembered.get(path) ?? load(path);
    },
    async keep(pack) {
      for (const [path, bytes] of picturesOf(pack)) {
        await objects.append(keyOf(path), 0, [[bytes]]);
        await objects.publish(keyOf(path));
      }
    },
  };
}

const stored = (bytes: Buffer): StoredPicture => ({ bytes, etag: `"${hash('sha256', bytes, 'base64url')}"` });

/** Returns the object key for a path. The key is derived from the path, so that serving a picture needs no query. */
const keyOf = (path: string): ObjectKey => keySpaces.stickers + hash('sha256', path).slice(1, 32);
