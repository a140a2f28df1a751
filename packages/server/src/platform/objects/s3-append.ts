// Appends to an object in S3. Whole parts are uploaded as they fill, and a checkpoint records where each append ended.
import { StoreUnavailable } from '../store/store.ts';
import { type ObjectKey, ObjectMissing, requireKey, type Source } from './objects.ts';
import type { Checkpoint, Progress } from './s3-checkpoints.ts';
import { publishedName, type S3Place } from './s3-place.ts';
import { openSpool, type Spool } from './spool.ts';

/** The position and the upload from which an append continues. */
interface Start extends Progress {
  /** The length in bytes of each part of this object. */
  readonly partBytes: number;
}

export async function append(place: S3Place, key: ObjectKey, offset: number, source: Source): Promise<number> {
  requireKey(key);
  const spool = await openSpool(place.spool);
  try {
    return await grow(place, key, offset, source, spool);
  } finally {
    await spool.close();
  }
}

async function drop(
  { bucket, checkpoints }: S3Place,
  checkpoint: Checkpoint,
  key: ObjectKey,
  keptUpload: string | undefined,
): Promise<void> {
  const uploadId = await checkpoints.uploadOf(checkpoint);
  await bucket.remove(checkpoint.name);
  if (uploadId !== undefined && uploadId !== keptUpload) await bucket.abortUpload(publishedName(key), uploadId);
}

/**
 * Prepares an append at an offset. Fills the spool with the bytes between the last whole part and the offset, and
 * removes all checkpoints except that of the offset. That checkpoint stays until the next append, because a caller that
 * gets no answer may repeat this append.
 */
async function goBack(place: S3Place, key: ObjectKey, offset: number, spool: Spool): Promise<Start> {
  const { bucket, checkpoints, inTurn } = place;
  const all = await checkpoints.of(key);
  const base = offset === 0 ? undefined : all.find(({ size, rest }) => size >= offset && size - rest <= offset);
  if (offset > 0 && !base) throw new ObjectMissing(`the object ${key} does not have ${offset} bytes`);
  let uploadId: string | undefined;
  if (base) {
    const opened = await checkpoints.open(base);
    uploadId = opened.uploadId;
    await fill(spool, opened.body, offset - (base.size - base.rest));
  }
  for (const other of all) if (other !== base) await drop(place, other, key, uploadId);
  const parts = base?.parts ?? 0;
  const progress = { size: offset, parts, uploadId };
  if (base && base.size !== offset) {
    await inTurn(async () => checkpoints.write(key, progress, await spool.peek()));
    await bucket.remove(base.name);
  }
  const partBytes = base && parts > 0 ? (base.size - base.rest) / parts : Math.max(place.partBytes, spool.size);
  return { ...progress, partBytes };
}

async function grow(place: S3Place, key: ObjectKey, offset: number, source: Source, spool: Spool): Promise<number> {
  const { bucket, checkpoints, inTurn } = place;
  const before = await goBack(place, key, offset, spool);
  const { partBytes } = before;
  let { size, parts, uploadId } = before;
  try {
    for await (const piece of piecesOf(source)) {
      let rest = piece;
      while (spool.size + rest.length >= partBytes) {
        const head = rest.subarray(0, partBytes - spool.size);
        await spool.write(head);
        uploadId ??= await bucket.beginUpload(publishedName(key));
        const id = uploadId;
        const number = parts + 1;
        await inTurn(async () => bucket.putPart(publishedName(key), id, number, await spool.take()));
        parts = number;
        rest = rest.subarray(head.length);
      }
      await spool.write(rest);
      size += piece.length;
    }
    await inTurn(async () => checkpoints.write(key, { size, parts, uploadId }, await spool.take()));
    return size;
  } catch (error) {
    // Ends the upload that this append began, because no checkpoint names it and it would occupy space for long. If
    // ending it fails as well, the upkeep ends it later.
    if (uploadId !== undefined && uploadId !== before.uploadId) {
      await bucket.abortUpload(publishedName(key), uploadId).catch(() => {});
    }
    throw error;
  }
}

async function* piecesOf(source: Source): AsyncGenerator<Buffer> {
  for await (const batch of source) yield* batch;
}

async function fill(spool: Spool, body: AsyncIterable<Buffer>, length: number): Promise<void> {
  for await (const chunk of body) {
    const wanted = length - spool.size;
    if (wanted > 0) await spool.write(chunk.subarray(0, wanted));
  }
  if (spool.size !== length) throw new StoreUnavailable(`the store sent ${spool.size} of ${length} bytes`);
}
