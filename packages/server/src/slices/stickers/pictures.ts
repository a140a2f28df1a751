// The bytes of sticker and emoji pictures, and of the sounds of stickers. Those that come with the server are in memory; imported ones are objects,
// so that every server has them. A picture never changes.
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
  /** By its public path. */
  find(path: string): Promise<StoredPicture | undefined>;
  /** Keeps the pictures of an imported pack, durably. */
  keep(pack: NumberedPack): Promise<void>;
}

const REMEMBERED_BYTES = 32 * 1024 * 1024;
/** The only paths that can have a picture; anything else is not looked for. */
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

/** The path says which object it is, so that a look at a picture costs no query. */
const keyOf = (path: string): ObjectKey => keySpaces.stickers + hash('sha256', path).slice(1, 32);
