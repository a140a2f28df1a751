// Publishes an object in S3: its uploaded parts and the bytes after them become one object.
import { type ObjectKey, ObjectMissing, requireKey, wholeOf } from './objects.ts';
import type { Checkpoint } from './s3-checkpoints.ts';
import { abortUploads, publishedName, type S3Place } from './s3-place.ts';

export async function publish(place: S3Place, key: ObjectKey): Promise<void> {
  const { bucket, checkpoints } = place;
  requireKey(key);
  const all = await checkpoints.of(key);
  const last = all.at(-1);
  if (!last) {
    if (await bucket.head(publishedName(key))) return;
    throw new ObjectMissing(`no unpublished object ${key}`);
  }
  await assemble(place, key, last);
  await tidy(place, key, all);
}

/** The two things that complete an object: the upload that holds its parts, and the bytes after the parts. */
interface Ending {
  readonly uploadId: string;
  readonly rest: Buffer;
}

/** Returns whether an object was already published with this number of bytes. */
async function isPublished({ bucket }: S3Place, key: ObjectKey, size: number): Promise<boolean> {
  return (await bucket.head(publishedName(key)))?.size === size;
}

async function complete(
  { bucket }: S3Place,
  key: ObjectKey,
  checkpoint: Checkpoint,
  { uploadId, rest }: Ending,
): Promise<void> {
  const name = publishedName(key);
  const count = checkpoint.parts + (rest.length > 0 ? 1 : 0);
  if (rest.length > 0) await bucket.putPart(name, uploadId, count, rest);
  const parts = (await bucket.parts(name, uploadId)).filter(({ number }) => number <= count);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  if (parts.length !== count || size !== checkpoint.size) {
    throw new ObjectMissing(`the object ${key} has ${size} of ${checkpoint.size} bytes`);
  }
  await bucket.completeUpload(name, uploadId, parts);
}

async function assemble(place: S3Place, key: ObjectKey, checkpoint: Checkpoint): Promise<void> {
  const { bucket, checkpoints, inTurn } = place;
  const { body, uploadId } = await checkpoints.open(checkpoint);
  await inTurn(async () => {
    const rest = await wholeOf(body);
    if (uploadId === undefined) return bucket.put(publishedName(key), rest);
    await complete(place, key, checkpoint, { uploadId, rest }).catch(async (error: unknown) => {
      // The answer to an earlier completion may have been lost. In that case, the upload is gone and the object exists.
      if (!(error instanceof ObjectMissing && (await isPublished(place, key, checkpoint.size)))) throw error;
    });
  });
}

/**
 * Removes the checkpoints and uploads that are no longer needed. The object is already published, so failures do not
 * matter: anything left over is removed together with the object.
 */
async function tidy(place: S3Place, key: ObjectKey, all: readonly Checkpoint[]): Promise<void> {
  await Promise.allSettled([
    ...all.map(({ name }) => place.bucket.remove(name)),
    ...(all.some(({ parts }) => parts > 0) ? [abortUploads(place, key)] : []),
  ]);
}
