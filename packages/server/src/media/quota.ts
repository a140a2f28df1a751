// How much an account may keep. Growing objects count with the size that was announced for them.
import { ApiError } from '@sealpost/contract';
import type { Tx } from '../store/store.ts';
import * as q from './queries.ts';

export interface Quota {
  readonly bytes: number;
  readonly objects: number;
}

/** Answers the bytes that are left after it. @throws OBJECT_QUOTA */
export async function reserve(
  tx: Tx,
  quota: Quota,
  accountId: number,
  more: { readonly objects: number; readonly bytes: number },
): Promise<number> {
  await tx.run(q.openUsage, accountId);
  const used = (await tx.one(q.usageOf, accountId)) ?? { objects: 0, bytes: 0 };
  const bytes = used.bytes + more.bytes;
  if (more.objects > 0 && used.objects + more.objects > quota.objects) {
    throw new ApiError('OBJECT_QUOTA', `the account has ${used.objects} objects, which is the most it may have`);
  }
  if (more.bytes > 0 && bytes > quota.bytes) {
    throw new ApiError(
      'OBJECT_QUOTA',
      `${more.bytes} bytes more would make ${bytes}; the account may have ${quota.bytes}`,
    );
  }
  await tx.run(q.addUsage, more.objects, more.bytes, accountId);
  return quota.bytes - bytes;
}
