// Checkpoints of objects that are still being written. S3 cannot append, so whole parts go to a multipart upload. After
// each append, the bytes after the last whole part are stored as a small object, the checkpoint. Its name is
// `unpublished/<key>/<size of the object so far>-<number of whole parts>`, and its metadata names the upload. The
// checkpoint is written last, so everything that it describes is already stored.

import { type ObjectKey, ObjectMissing } from './objects.ts';
import type { Bucket, Found, Listed } from './s3-bucket.ts';

export interface Checkpoint {
  readonly name: string;
  /** Size of the object so far, in bytes. */
  readonly size: number;
  /** Number of whole parts in the upload; all have the same length. */
  readonly parts: number;
  /** Number of bytes after the whole parts. They are the content of the checkpoint. */
  readonly rest: number;
}

export interface Progress {
  readonly size: number;
  readonly parts: number;
  readonly uploadId: string | undefined;
}

const UNPUBLISHED = 'unpublished/';
const NAME = /^unpublished\/([0-9a-f]{32})\/(\d{15})-(\d{5})$/;
const UPLOAD = 'upload';

export type Checkpoints = ReturnType<typeof createCheckpoints>;

const folderOf = (key: ObjectKey): string => `${UNPUBLISHED}${key}/`;

export function createCheckpoints(bucket: Bucket) {
  async function of(key: ObjectKey): Promise<Checkpoint[]> {
    const found: Checkpoint[] = [];
    for await (const listed of bucket.list(folderOf(key))) {
      const checkpoint = readName(listed);
      if (checkpoint) found.push(checkpoint);
    }
    return found;
  }

  /** Returns the bytes after the whole parts, and the upload that holds the parts. */
  async function open({ name, parts }: Checkpoint): Promise<Found & { readonly uploadId: string | undefined }> {
    const found = await bucket.get(name);
    const uploadId = found.metadata[UPLOAD];
    if (parts === 0 || uploadId) return { ...found, uploadId: parts === 0 ? undefined : uploadId };
    found.body.destroy();
    throw new ObjectMissing(`${name} names no upload`);
  }

  async function uploadOf({ name, parts }: Checkpoint): Promise<string | undefined> {
    return parts === 0 ? undefined : (await bucket.head(name))?.metadata[UPLOAD];
  }

  return {
    /** Returns the checkpoints of one object, the smallest first. */
    of,
    open,
    uploadOf,

    write(key: ObjectKey, { size, parts, uploadId }: Progress, rest: Buffer): Promise<void> {
      const name = `${folderOf(key)}${String(size).padStart(15, '0')}-${String(parts).padStart(5, '0')}`;
      return bucket.put(name, rest, uploadId === undefined ? {} : { [UPLOAD]: uploadId });
    },

    /** Returns each key after `after` that has a checkpoint, with the time of its newest checkpoint. */
    async *keys(after: ObjectKey): AsyncGenerator<{ key: ObjectKey; changedTime: number }> {
      let held: { key: ObjectKey; changedTime: number } | undefined;
      // In names, the key is followed by a slash. "0" sorts right after the slash, so the list begins after all
      // checkpoints of this key.
      for await (const { name, changedTime } of bucket.list(UNPUBLISHED, `${UNPUBLISHED}${after}0`)) {
        const key = NAME.exec(name)?.[1];
        if (key === undefined) continue;
        if (held && held.key !== key) yield held;
        held = { key, changedTime: Math.max(changedTime, held?.key === key ? held.changedTime : 0) };
      }
      if (held) yield held;
    },
  };
}

function readName({ name, size: rest }: Listed): Checkpoint | undefined {
  const [, , size, parts] = NAME.exec(name) ?? [];
  if (size === undefined || parts === undefined) return undefined;
  const found = { name, size: Number(size), parts: Number(parts), rest };
  const inParts = found.size - rest;
  const sound = found.parts === 0 ? inParts === 0 : inParts > 0 && inParts % found.parts === 0;
  return sound ? found : undefined;
}
