// What all work on objects in S3 needs: the bucket, the checkpoints, the names of objects, and the length of parts.
import type { ObjectKey } from './objects.ts';
import type { Bucket } from './s3-bucket.ts';
import { type Checkpoints, createCheckpoints } from './s3-checkpoints.ts';

/** S3 takes parts from 5 MiB on, and 10,000 of them. */
const PART_BYTES = 8 * 1024 * 1024;
const MOST_PARTS = 10_000;
/** The most parts in memory at the same time; other uploads wait in their files. */
const PARTS_AT_ONCE = 4;
export const PUBLISHED = 'published/';
const QUARANTINED = 'quarantined/';

export const publishedName = (key: ObjectKey): string => PUBLISHED + key;
export const quarantinedName = (key: ObjectKey): string => QUARANTINED + key;

export interface S3Place {
  readonly bucket: Bucket;
  readonly checkpoints: Checkpoints;
  /** The folder for bytes on their way. */
  readonly spool: string;
  /** The usual length of a part. */
  readonly partBytes: number;
  /** Runs work that holds a part in memory, once there is room for it. */
  readonly inTurn: Turns;
}

/** @param objectBytes most bytes of one object */
export const placeIn = (bucket: Bucket, spool: string, objectBytes: number): S3Place => ({
  bucket,
  checkpoints: createCheckpoints(bucket),
  spool,
  // The largest object must not have more parts than S3 takes.
  partBytes: Math.max(PART_BYTES, Math.ceil(objectBytes / MOST_PARTS)),
  inTurn: createTurns(PARTS_AT_ONCE),
});

export async function abortUploads({ bucket }: S3Place, key: ObjectKey): Promise<void> {
  for await (const { name, id } of bucket.uploads(publishedName(key), '')) await bucket.abortUpload(name, id);
}

type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Returns a function that runs at most so many pieces of work at a time, the others in the order in which they came.
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
