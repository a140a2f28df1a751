// Admin endpoints of retention: they count what a retention time would remove, and order the removal.
import type { Clock } from '@sealpost/contract/ports';
import type { Store } from '../../platform/store/store.ts';
import type { AdminHandlers, Audit } from '../admin/index.ts';
import { orderedBefore } from './orders.ts';
import { countOld } from './preview.ts';
import { putOrder } from './queries.ts';

export interface RetentionAdminDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly messageDays: number;
  readonly mediaDays: number;
  /** Counts the media of messages that were stored before a time. */
  readonly countMedia: (store: Store, before: number) => Promise<{ objects: number; bytes: number }>;
}

const DAY_MS = 86_400_000;
const timeOf = (ms: number): string => new Date(ms).toISOString();

export function retentionAdminHandlers(deps: RetentionAdminDeps): AdminHandlers<'retentionPreview' | 'runRetention'> {
  const { store, clock, audit, messageDays, mediaDays, countMedia } = deps;
  return {
    async retentionPreview({ days = messageDays }) {
      const now = clock.now();
      const before = now - days * DAY_MS;
      const ordered = await store.read(async (reader) => ({
        messages: await orderedBefore(reader, 'messages'),
        media: await orderedBefore(reader, 'media'),
      }));
      const olderMedia = days === 0 ? { objects: 0, bytes: 0 } : await countMedia(store, before);
      const { all, byAge, largestChats } =
        days === 0
          ? { all: { messages: 0, objects: 0, bytes: 0 }, byAge: [], largestChats: [] }
          : await countOld(store, now, days);
      return {
        days,
        ...(days > 0 && { before: timeOf(before) }),
        messageDays,
        mediaDays,
        ordered: {
          ...(ordered.messages > 0 && { messages: timeOf(ordered.messages) }),
          ...(ordered.media > 0 && { media: timeOf(ordered.media) }),
        },
        ...all,
        byAge: [...byAge],
        largestChats: largestChats.map(({ chatMids, ...sum }) => ({ chatMids: [...chatMids], ...sum })),
        olderMedia,
      };
    },
    async runRetention({ days, what = 'messages' }, { actor }) {
      const before = clock.now() - days * DAY_MS;
      await store.transact(async (tx) => {
        await tx.run(putOrder, what, before);
        const detail = JSON.stringify({ days, before: timeOf(before) });
        await audit.record(tx, { actor, action: 'retention.run', subject: what, detail });
      });
      return { what, before: timeOf(before) };
    },
  };
}
