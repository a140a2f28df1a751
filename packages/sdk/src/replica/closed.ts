// Finds messages that stayed sealed and may open later, and marks them. A marked message is read once more, and opened.
import type { Tx } from '../store/local-state.ts';
import { type MarkKind, mark } from './marks.ts';
import { heldKeys, ME, type StoredMessage } from './tables.ts';

const SINCE = 'closed';

/** Returns whether a message stayed sealed, for whatever reason. */
export const isClosed = (message: StoredMessage | undefined): boolean => message?.sealing.state === 'unopened';

/**
 * Marks a message, or the box whose newest message it is, if the message stayed sealed and may open now. In such a
 * case, either the server did not send the keys, or the key came to this device while the message was being read.
 */
export async function markIfClosed(
  tx: Tx,
  kind: Extract<MarkKind, 'message' | 'box'>,
  id: string,
  { sealing }: StoredMessage,
): Promise<void> {
  if (sealing.state !== 'unopened' || sealing.waitsFor === undefined) return;
  const { waitsFor } = sealing;
  const mayOpen = waitsFor === 'server' || ((await tx.get(heldKeys, ME))?.keyIds ?? []).includes(waitsFor.keyId);
  if (mayOpen) mark(tx, kind, id, SINCE);
}
