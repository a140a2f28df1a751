// The objects that all work on S3 shares: the bucket, the checkpoints, the names of objects, and the length of parts.
import type { ObjectKey } from './objects.ts';
import type { Bucket } from './s3-bucket.ts';
import { type Checkpoints, createCheckpoints } from './s3-checkpoints.ts';

/** Usual length of a part. S3 requires parts of at least 5 MiB, and accepts at most 10,000 of them per object. */
const PART_BYTES = 8 * 1024 * 1024;
const MOST_PARTS = 10_000;
/**
 * Maximum number of parts in memory at the same time. While these parts are sent, other uploads keep their bytes in
 * files.
 */
const PARTS_AT_ONCE = 4;
export const PUBLISHED = 'published/';
const QUARANTINED = 'quarantined/';

export const publishedName = (key: ObjectKey): string => PUBLISHED + key;
export const quarantinedName = (key: ObjectKey): string => QUARANTINED + key;

export interface S3Place {
  readonly bucket: Bucket;
  readonly checkpoints: Checkpoints;
  /** The folder for bytes that have not been sent to S3 yet. */
  readonly spool: string;
  /** The usual length of a part in bytes. */
  readonly partBytes: number;
  /** Runs work that holds a part in memory, as soon as fewer than PARTS_AT_ONCE parts are in memory. */
  readonly inTurn: Turns;
}

/** @param objectBytes the largest size of an object in bytes */
export const placeIn = (bucket: Bucket, spool: string, objectBytes: number): S3Place => ({
  bucket,
  checkpoints: createCheckpoints(bucket),
  spool,
  // Parts are longer than usual if the largest object would otherwise have more parts than S3 accepts.
  partBytes: Math.max(PART_BYTES, Math.ceil(objectBytes / MOST_PARTS)),
  inTurn: createTurns(PARTS_AT_ONCE),
});

export async function abortUploads({ bucket }: S3Place, key: ObjectKey): Promise<void> {
  for await (const { name, id } of bucket.uploads(publishedName(key), '')) await bucket.abortUpload(name, id);
}

type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Returns a function that runs at most `most` pieces of work at a time. Further work waits and starts in the order of
 * the calls.
 */
function createTurns(most: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
