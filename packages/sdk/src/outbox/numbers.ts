// The positions and reqSeqs of messages in the outbox. They are assigned in the same commit that stores the message.
import type { Tx } from '../store/local-state.ts';
import { type Counters, counters } from './outgoing.ts';

const LARGEST_I32 = 2 ** 31 - 1;
const SMALLEST_REQ_SEQ = 2;
const NAME = 'outbox';

/**
 * Returns the next position and reqSeq.
 * @param suggested a reqSeq from the client's counter. If the outbox has already assigned a number that is as high, the
 * next higher number is used.
 */
export async function nextNumbers(tx: Tx, suggested: number): Promise<Counters> {
  const last = await tx.get(counters, NAME);
  const following = (last?.reqSeq ?? 0) + 1;
  const reqSeq = Math.max(suggested, following > LARGEST_I32 ? SMALLEST_REQ_SEQ : following);
  const next = { position: (last?.position ?? 0) + 1, reqSeq };
  tx.put(counters, NAME, next);
  return next;
}
