// Objects in a bucket of S3, or of a server that speaks like it: `published/<key>` for good; what is still growing is
// described in s3-checkpoints.ts. Nothing about an object is kept in memory, so any server can go on with it.
import { makeFolder } from '../kernel/files.ts';
import { StoreUnavailable } from '../store/store.ts';
import {
  type LinkHeaders,
  type ObjectKey,
  ObjectMissing,
  type Objects,
  requireKey,
  type Source,
  type StoredObject,
  wholeOf,
} from './objects.ts';
import { openBucket, type Patience, type S3Settings, usualPatience } from './s3-bucket.ts';
import { type Checkpoint, createCheckpoints, type Progress } from './s3-checkpoints.ts';
import { moveObject } from './s3-copy.ts';
import { requireUsable } from './s3-start.ts';
import { openSpool, type Spool } from './spool.ts';

export interface S3Options extends S3Settings {
  /** Most bytes of one object. */
  readonly objectBytes: number;
  /** Folder for bytes on their way; made if absent. */
  readonly spool: string;
  readonly patience?: Patience;
}

/** S3 takes parts from 5 MiB on, and 10,000 of them. */
const PART_BYTES = 8 * 1024 * 1024;
const MOST_PARTS = 10_000;
/** Parts that are in memory at the same time; other uploads wait in their files. */
const PARTS_AT_ONCE = 4;
const PUBLISHED = 'published/';
const QUARANTINED = 'quarantined/';
const OWNER = 'instance';

const publishedName = (key: ObjectKey): string => PUBLISHED + key;
const quarantinedName = (key: ObjectKey): string => QUARANTINED + key;

/** Opens the bucket and makes sure that it can be used. @throws Error that says what to do */
export async function openS3(options: S3Options): Promise<Objects> {
  const { bucket: bucketName, prefix, objectBytes } = options;
  makeFolder('the folder of uploads under way', options.spool);
  const bucket = openBucket(options, options.patience ?? usualPatience);
  const checkpoints = createCheckpoints(bucket);
  const usualPartBytes = Math.max(PART_BYTES, Math.ceil(objectBytes / MOST_PARTS));
  const inTurn = createTurns(PARTS_AT_ONCE);
  await requireUsable(bucket, options).catch((error: unknown) => {
    bucket.close();
    throw error;
  });

  async function drop(checkpoint: Checkpoint, key: ObjectKey, keptUpload: string | undefined): Promise<void> {
    const uploadId = await checkpoints.uploadOf(checkpoint);
    await bucket.remove(checkpoint.name);
    if (uploadId !== undefined && uploadId !== keptUpload) await bucket.abortUpload(publishedName(key), uploadId);
  }

  /**
   * Goes back to an offset: fills the spool with what lies between the last whole part and it, and removes the other
   * checkpoints. That of the offset stays until the append after this one, in case nobody hears how this one ended.
   */
  async function goBack(key: ObjectKey, offset: number, spool: Spool): Promise<Progress & { partBytes: number }> {
    const all = await checkpoints.of(key);
    const base = offset === 0 ? undefined : all.find(({ size, rest }) => size >= offset && size - rest <= offset);
    if (offset > 0 && !base) throw new ObjectMissing(`the object ${key} does not have ${offset} bytes`);
    let uploadId: string | undefined;
    if (base) {
      const opened = await checkpoints.open(base);
      uploadId = opened.uploadId;
      await fill(spool, opened.body, offset - (base.size - base.rest));
    }
    for (const other of all) if (other !== base) await drop(other, key, uploadId);
    const parts = base?.parts ?? 0;
    const progress = { size: offset, parts, uploadId };
    if (base && base.size !== offset) {
      await inTurn(async () => checkpoints.write(key, progress, await spool.peek()));
      await bucket.remove(base.name);
    }
    const partBytes = base && parts > 0 ? (base.size - base.rest) / parts : Math.max(usualPartBytes, spool.size);
    return { ...progress, partBytes };
  }

  async function grow(key: ObjectKey, offset: number, source: Source, spool: Spool): Promise<number> {
    const before = await goBack(key, offset, spool);
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
      // An upload that no checkpoint names would stay for long; if this fails as well, the upkeep finds it.
      if (uploadId !== undefined && uploadId !== before.uploadId) {
        await bucket.abortUpload(publishedName(key), uploadId).catch(() => {});
      }
      throw error;
    }
  }

  async function append(key: ObjectKey, offset: number, source: Source): Promise<number> {
    requireKey(key);
    const spool = await openSpool(options.spool);
    try {
      return await grow(key, offset, source, spool);
    } finally {
      await spool.close();
    }
  }

  /** Whether it was published before with this many bytes. */
  async function isPublished(key: ObjectKey, size: number): Promise<boolean> {
    return (await bucket.head(publishedName(key)))?.size === size;
  }

  async function complete(key: ObjectKey, checkpoint: Checkpoint, uploadId: string, rest: Buffer): Promise<void> {
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

  async function assemble(key: ObjectKey, checkpoint: Checkpoint): Promise<void> {
    const { body, uploadId } = await checkpoints.open(checkpoint);
    await inTurn(async () => {
      const rest = await wholeOf(body);
      if (uploadId === undefined) return bucket.put(publishedName(key), rest);
      await complete(key, checkpoint, uploadId, rest).catch(async (error: unknown) => {
        // The answer of a completion before may have been lost; the upload is gone then, and the object is there.
        if (!(error instanceof ObjectMissing && (await isPublished(key, checkpoint.size)))) throw error;
      });
    });
  }

  /** The object is there by now, so that a failure here is none: what stays goes when the object is removed. */
  async function tidy(key: ObjectKey, all: readonly Checkpoint[]): Promise<void> {
    await Promise.allSettled([
      ...all.map(({ name }) => bucket.remove(name)),
      ...(all.some(({ parts }) => parts > 0) ? [abortUploads(key)] : []),
    ]);
  }

  async function abortUploads(key: ObjectKey): Promise<void> {
    for await (const { name, id } of bucket.uploads(publishedName(key), '')) await bucket.abortUpload(name, id);
  }

  async function publish(key: ObjectKey): Promise<void> {
    requireKey(key);
    const all = await checkpoints.of(key);
    const last = all.at(-1);
    if (!last) {
      if (await bucket.head(publishedName(key))) return;
      throw new ObjectMissing(`no unpublished object ${key}`);
    }
    await assemble(key, last);
    await tidy(key, all);
  }

  async function* listed(folder: string, after: ObjectKey): AsyncGenerator<StoredObject> {
    for await (const { name, changedTime } of bucket.list(folder, folder + after)) {
      yield { key: name.slice(folder.length), changedTime };
    }
  }

  async function* uploadsAfter(after: ObjectKey): AsyncGenerator<StoredObject> {
    for await (const { name, startedTime } of bucket.uploads(PUBLISHED, publishedName(after))) {
      yield { key: name.slice(PUBLISHED.length), changedTime: startedTime };
    }
  }

  /** What has a checkpoint, and what broke off before its first one. */
  async function unpublishedAfter(after: ObjectKey, limit: number): Promise<StoredObject[]> {
    const found = new Map<ObjectKey, StoredObject>();
    for (const source of [uploadsAfter(after), checkpoints.keys(after)]) {
      for (const object of await first(source, limit)) {
        const changedTime = Math.max(object.changedTime, found.get(object.key)?.changedTime ?? 0);
        found.set(object.key, { key: object.key, changedTime });
      }
    }
    return [...found.values()].sort((a, b) => (a.key < b.key ? -1 : 1)).slice(0, limit);
  }

  return {
    kind: 's3',
    location: `s3://${bucketName}/${prefix}`,
    append,
    publish,
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
      for (const { name } of await checkpoints.of(key)) await bucket.remove(name);
      await abortUploads(key);
    },
    async quarantine(key) {
      requireKey(key);
      await moveObject(bucket, publishedName(key), quarantinedName(key));
    },
    async bringBack(key) {
      requireKey(key);
      return moveObject(bucket, quarantinedName(key), publishedName(key));
    },
    page: (state, after, limit) =>
      state === 'unpublished' ? unpublishedAfter(after, limit) : first(listed(`${state}/`, after), limit),
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

async function first(source: AsyncGenerator<StoredObject>, limit: number): Promise<StoredObject[]> {
  const found = new Map<ObjectKey, StoredObject>();
  for await (const object of source) {
    if (found.size >= limit && !found.has(object.key)) break;
    found.set(object.key, object);
  }
  return [...found.values()];
}

/** Runs at most so many pieces of work at a time, the others in the order in which they came. */
function createTurns(most: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
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
