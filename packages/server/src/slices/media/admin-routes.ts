// The admin endpoint that counts media older than some days. The counts help the operator to choose the setting
// media-days.
import type { Clock } from '@sealpost/contract/ports';
import type { Reader, Store } from '../../platform/store/store.ts';
import type { AdminHandlers } from '../admin/index.ts';
import { mediaBefore } from './queries.ts';

const DAY_MS = 86_400_000;

export const mediaAdminHandlers = (store: Store, clock: Clock): AdminHandlers<'countExpiredMedia'> => ({
  async countExpiredMedia({ days }) {
    return { days, ...(await store.read((reader) => countMedia(reader, clock.now() - days * DAY_MS))) };
  },
});

/** Counts the media of messages that were stored before a time. */
export async function countMedia(reader: Reader, before: number): Promise<{ objects: number; bytes: number }> {
  const found = await reader.one(mediaBefore, before);
  return { objects: found?.objects ?? 0, bytes: Number(found?.bytes ?? 0) };
}
