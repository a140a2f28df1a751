// Limits how many objects and bytes an account may keep. An incomplete upload counts with its announced size.
import { ApiError } from '@sealpost/contract';
import type { Tx } from '../../platform/store/store.ts';
import * as q from './queries.ts';

export interface Quota {
  readonly bytes: number;
  readonly objects: number;
}

interface Usage {
  readonly objects: number;
  readonly bytes: number;
}

const NOTHING: Usage = { objects: 0, bytes: 0 };

function refusalOf(quota: Quota, used: Usage, more: Usage): ApiError | undefined {
  if (more.objects > 0 && used.objects + more.objects > quota.objects) {
    return new ApiError('OBJECT_QUOTA', `the account has ${used.objects} objects, which is the most it may have`);
  }
  const bytes = used.bytes + more.bytes;
  if (more.bytes <= 0 || bytes <= quota.bytes) return undefined;
  return new ApiError(
    'OBJECT_QUOTA',
    `${more.bytes} bytes more would make ${bytes}; the account may have ${quota.bytes}`,
  );
}

/**
 * Returns the error if further usage would exceed an account's quota; otherwise undefined. Reserves and locks nothing.
 */
export async function noRoom(tx: Tx, quota: Quota, accountId: number, more: Usage): Promise<ApiError | undefined> {
  return refusalOf(quota, (await tx.one(q.usageNow, accountId)) ?? NOTHING, more);
}

/**
 * Adds to the account's usage, and returns how many bytes of the quota remain.
 * @throws OBJECT_QUOTA if the usage would exceed the quota
 */
export async function reserve(tx: Tx, quota: Quota, accountId: number, more: Usage): Promise<number> {
  await tx.run(q.openUsage, accountId);
  const used = (await tx.one(q.usageOf, accountId)) ?? NOTHING;
  const refusal = refusalOf(quota, used, more);
  if (refusal) throw refusal;
  await tx.run(q.addUsage, more.objects, more.bytes, accountId);
  return quota.bytes - used.bytes - more.bytes;
}
