// The admin endpoint that counts media older than some days. The counts help the operator to choose the setting
// media-days.
import type { Clock } from '@sealpost/contract/ports';
import type { Store } from '../../platform/store/store.ts';
import type { AdminHandlers } from '../admin/index.ts';
import { mediaAfter } from './queries.ts';

const DAY_MS = 86_400_000;
const PAGE = 1_000;

export const mediaAdminHandlers = (store: Store, clock: Clock): AdminHandlers<'countExpiredMedia'> => ({
  async countExpiredMedia({ days }) {
    return { days, ...(await countMedia(store, clock.now() - days * DAY_MS)) };
  },
});

/** Counts the media of messages that were stored before a time. They are read in pages, so that no call waits for it. */
export async function countMedia(store: Store, before: number): Promise<{ objects: number; bytes: number }> {
  let [objects, bytes] = [0, 0];
  for (let [accountId, oid] = [0, '']; ; ) {
    const page = await store.read((reader) => reader.all(mediaAfter, before, accountId, oid, PAGE));
    for (const { old_bytes: size } of page) {
      if (size === null) continue;
      objects += 1;
      bytes += size;
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return { objects, bytes };
    ({ account_id: accountId, oid } = last);
  }
}
