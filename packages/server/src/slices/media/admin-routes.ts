// The admin endpoint that counts media older than some days. The counts help the operator to choose the setting
// media-days.
import type { Clock } from '@sealpost/contract/ports';
import type { Store } from '../../platform/store/store.ts';
import type { AdminHandlers } from '../admin/index.ts';
import { mediaBefore } from './queries.ts';

const DAY_MS = 86_400_000;

export const mediaAdminHandlers = (store: Store, clock: Clock): AdminHandlers<'countExpiredMedia'> => ({
  async countExpiredMedia({ days }) {
    const found = await store.read((reader) => reader.one(mediaBefore, clock.now() - days * DAY_MS));
    return { days, objects: found?.objects ?? 0, bytes: Number(found?.bytes ?? 0) };
  },
});
