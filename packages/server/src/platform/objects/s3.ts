// Objects in a bucket of S3, or of a server with the same protocol. `published/<key>` holds complete objects;
// s3-checkpoints.ts describes unfinished ones. This module keeps nothing about an object in memory, so any server can
// continue an upload.
import { makeFolder } from '../kernel/files.ts';
import { type LinkHeaders, type ObjectKey, ObjectMissing, type Objects, requireKey, wholeOf } from './objects.ts';
import { append } from './s3-append.ts';
import { Bucket, type Patience, type S3Settings, usualPatience } from './s3-bucket.ts';
import { moveObject } from './s3-copy.ts';
import { page } from './s3-page.ts';
import { abortUploads, placeIn, publishedName, quarantinedName } from './s3-place.ts';
import { publish } from './s3-publish.ts';
import { requireUsable } from './s3-start.ts';

export interface S3Options extends S3Settings {
  /** The largest size of an object in bytes. */
  readonly objectBytes: number;
  /** The folder for bytes that have not been sent to S3 yet; created if absent. */
  readonly spool: string;
  readonly patience?: Patience;
  /** True if nothing will be written, so that only reading is tried out first. */
  readonly readOnly?: boolean;
}

const OWNER = 'instance';

/**
 * Opens the bucket and checks that it can be used.
 * @throws Error that says what to do
 */
export async function openS3(options: S3Options): Promise<Objects> {
  makeFolder('the folder of uploads under way', options.spool);
  const bucket = new Bucket(options, options.patience ?? usualPatience);
  const place = placeIn(bucket, options.spool, options.objectBytes);
  await requireUsable(bucket, options, options.readOnly).catch((error: unknown) => {
    bucket.close();
    throw error;
  });
  return {
    kind: 's3',
    location: `s3://${options.bucket}/${options.prefix}`,
    append: (key, offset, source) => append(place, key, offset, source),
    publish: (key) => publish(place, key),
    async read(key, range) {
      requireKey(key);
      return (await bucket.get(publishedName(key), range)).body;
    },
    ...(options.linkSeconds > 0 && {
      link: async (key: ObjectKey, headers: LinkHeaders) => {
        requireKey(key);
        return bucket.link(publishedName(key), headers);
      },
    }),
    async remove(key) {
      requireKey(key);
      await bucket.remove(publishedName(key));
      await bucket.remove(quarantinedName(key));
      for (const { name } of await place.checkpoints.of(key)) await bucket.remove(name);
      await abortUploads(place, key);
    },
    async quarantine(key) {
      requireKey(key);
      await moveObject(bucket, publishedName(key), quarantinedName(key));
    },
    async bringBack(key) {
      requireKey(key);
      return moveObject(bucket, quarantinedName(key), publishedName(key));
    },
    page: (state, after, limit) => page(place, state, after, limit),
    async owner() {
      try {
        return (await wholeOf((await bucket.get(OWNER)).body)).toString().trim();
      } catch (error) {
        if (error instanceof ObjectMissing) return undefined;
        throw error;
      }
    },
    claim: (id) => bucket.put(OWNER, Buffer.from(`${id}\n`)),
    check: () => bucket.put('writable', Buffer.alloc(0)),
    close: async () => bucket.close(),
  };
}
