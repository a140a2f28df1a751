// Small objects that the server itself creates, such as previews.
import { createHash } from 'node:crypto';
import type { Random } from '@sealpost/contract/ports';
import type { Objects } from '../../platform/objects/objects.ts';
import { drawKey } from './names.ts';

export interface MadeObject {
  readonly key: string;
  readonly hash: string;
  readonly size: number;
}

/** Returns a function that stores bytes under a new key. If no row ever names the key, the sweep removes the bytes. */
export const keeper =
  (objects: Objects, random: Random) =>
  async (bytes: Buffer): Promise<MadeObject> => {
    const key = drawKey(random);
    await objects.append(key, 0, [[bytes]]);
    await objects.publish(key);
    return { key, hash: createHash('sha256').update(bytes).digest('hex'), size: bytes.length };
  };
