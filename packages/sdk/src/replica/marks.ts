// Marks: what must be read again from the server. A mark is stored in the same commit as the operation that caused it,
// so it survives the end of the process.
import type { Tx } from '../store/local-state.ts';
import { marks } from './tables.ts';

/** What can be read again. All of it is read per id, except `profile` and `settings`. */
export type MarkKind = 'profile' | 'settings' | 'contact' | 'chat' | 'box' | 'message' | 'all';

/**
 * Marks something as changed. A mark that is there already gets the new reason, so that an answer which was asked for
 * before is not taken for the newest.
 */
export const mark = (tx: Tx, kind: MarkKind, id: string, since: string): void =>
  tx.put(marks, `${kind}/${id}`, { since });

export const isMarked = async (tx: Tx, kind: MarkKind, id: string): Promise<boolean> =>
  (await tx.get(marks, `${kind}/${id}`)) !== undefined;

export function marked(id: string): { kind: MarkKind; id: string } {
  const slash = id.indexOf('/');
  return { kind: id.slice(0, slash) as MarkKind, id: id.slice(slash + 1) };
}
