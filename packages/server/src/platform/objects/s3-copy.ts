// Moves an object inside a bucket. S3 cannot rename, so the object is copied, and the original is removed afterwards.
import { ObjectMissing } from './objects.ts';
import type { Bucket } from './s3-bucket.ts';

/** Size of the parts of a copy. One request can copy up to 5 GiB, so larger objects are copied in parts. */
const PART_BYTES = 1024 ** 3;

/**
 * Moves an object. Returns whether the object is at its new place afterwards, even if another server moved it at the
 * same time. The original is removed only after the copy is complete.
 */
export async function moveObject(bucket: Bucket, from: string, to: string, partBytes = PART_BYTES): Promise<boolean> {
  const found = await bucket.head(from);
  const copied = found && (await copyObject(bucket, from, to, { size: found.size, partBytes }));
  if (!copied) return (await bucket.head(to)) !== undefined;
  await bucket.remove(from);
  return true;
}

interface Sizes {
  readonly size: number;
  readonly partBytes: number;
}

/** Copies an object. Returns false if the original does not exist any more. */
async function copyObject(bucket: Bucket, from: string, to: string, sizes: Sizes): Promise<boolean> {
  try {
    if (sizes.size <= sizes.partBytes) await bucket.copy(from, to);
    else await copyInParts(bucket, from, to, sizes);
    return true;
  } catch (error) {
    if (error instanceof ObjectMissing) return false;
    throw error;
  }
}

async function copyInParts(bucket: Bucket, from: string, to: string, { size, partBytes }: Sizes): Promise<void> {
  const uploadId = await bucket.beginUpload(to);
  try {
    for (let start = 0, number = 1; start < size; start += partBytes, number++) {
      const end = Math.min(start + partBytes, size) - 1;
      await bucket.copyPart(from, to, uploadId, number, { start, end });
    }
    await bucket.completeUpload(to, uploadId, await bucket.parts(to, uploadId));
  } catch (error) {
    // If ending the upload fails as well, a rule of the bucket ends it later. The caller gets the error of the copy,
    // because that error tells the reason.
    await bucket.abortUpload(to, uploadId).catch(() => {});
    throw error;
  }
}
