// Orders of the operator to remove messages or media that are older than a time. Orders are stored, so that every
// server carries them out, even after a restart.
import type { Reader } from '../../platform/store/store.ts';
import * as q from './queries.ts';

/** The things that an order removes: messages with their media, or media alone. */
export type Ordered = 'messages' | 'media';

/** Returns the time before which the operator ordered to remove messages or media; 0 without an order. */
export async function orderedBefore(reader: Reader, what: Ordered): Promise<number> {
  return (await reader.one(q.orderOf, what))?.before_time ?? 0;
}
