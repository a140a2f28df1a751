// Keeps two backups from writing into one bucket at the same time: the older objects that one removes may be those that
// the other needs. A bucket has no locks. So each running backup has a mark in the bucket, and renews it. All times are
// those of the bucket, because the clocks of two machines may differ.
import type { Ports } from '@sealpost/contract/ports';
import { randomHex } from '../../platform/kernel/random-text.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import { replace } from './replace.ts';

const RENEW_MS = 20_000;
/** Age in milliseconds of a mark whose backup has been killed, or stands still. */
const STALE_MS = 120_000;
const KEY_BYTES = 16;
const MARKS = 100;

export interface BucketLock {
  /** @throws Error if another backup has taken the place, because this one stood still */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param marks the store of the marks
 * @throws Error if another backup is running
 */
export async function lockBucket(
  marks: Objects,
  location: string,
  { random, timers }: Pick<Ports, 'random' | 'timers'>,
): Promise<BucketLock> {
  const own = randomHex(random, KEY_BYTES);
  const mark = () => replace(marks, own, Buffer.from(own));
  // Two backups that begin together both see the mark of the other, and both give up.
  await mark();
  await requireAlone(marks, own, location).catch(async (error: unknown) => {
    await marks.remove(own);
    throw error;
  });
  const isMarked = async () => (await marks.page('published', '', MARKS)).some(({ key }) => key === own);
  let renewing = Promise.resolve();
  // A mark that another backup has removed must not come back. A renewal that fails is repeated by the next one.
  const renew = async () => {
    if (await isMarked()) await mark();
  };
  const timer = timers.every(RENEW_MS, () => {
    renewing = renew().catch(() => {});
  });
  return {
    async check() {
      await renewing;
      if (await isMarked()) return;
      throw new Error(
        `this backup into ${location} stood still for more than ${STALE_MS / 60_000} minutes, and another one has begun. Repeat it.`,
      );
    },
    async close() {
      timer.cancel();
      await renewing;
      await marks.remove(own);
    },
  };
}

/** Removes the marks of backups that were killed. @throws Error if another backup is running */
async function requireAlone(marks: Objects, own: string, location: string): Promise<void> {
  const page = await marks.page('published', '', MARKS);
  const now = page.find(({ key }) => key === own)?.changedTime ?? 0;
  for (const { key, changedTime } of page) {
    if (key === own) continue;
    if (now - changedTime <= STALE_MS) {
      throw new Error(
        `another backup into ${location} is running, or was killed less than ${STALE_MS / 60_000} minutes ago. Wait, then repeat this one.`,
      );
    }
    await marks.remove(key);
  }
}
