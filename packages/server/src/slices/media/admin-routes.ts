// The operator's look at media before a number of days is set for them, part of the admin API.

import type { Clock } from '../../platform/kernel/ports.ts';
import type { Store } from '../../platform/store/store.ts';
import { type AdminRoutes, Problem } from '../admin/index.ts';
import { mediaBefore } from './queries.ts';

const DAY_MS = 86_400_000;

export const mediaAdminRoutes = (store: Store, clock: Clock): AdminRoutes => ({
  '/media/expired': {
    GET: async (request) => {
      const { days = '' } = request.query as { days?: unknown };
      if (typeof days !== 'string' || !/^\d{1,5}$/.test(days)) {
        throw new Problem(400, `days is ${JSON.stringify(days)}; it must be a whole number`);
      }
      const found = await store.read((reader) => reader.one(mediaBefore, clock.now() - Number(days) * DAY_MS));
      return { days: Number(days), objects: found?.objects ?? 0, bytes: Number(found?.bytes ?? 0) };
    },
  },
});
