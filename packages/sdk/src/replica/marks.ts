// Marks. Each names a record that must be read again from the server. A mark is stored in the same commit as the
// operation that caused it, so it survives the end of the process.
import type { Tx } from '../store/local-state.ts';
import { marks } from './tables.ts';

/**
 * The kinds of records that can be marked. Except for `profile`, `settings` and `all`, each mark has the id of a
 * record.
 */
export type MarkKind = 'profile' | 'settings' | 'contact' | 'chat' | 'box' | 'message' | 'all';

/**
 * Marks a record as changed. If the record is already marked, the mark gets the new `since`. So the answer to an
 * earlier request is not treated as the newest state.
 */
export const mark = (tx: Tx, kind: MarkKind, id: string, since: string): void =>
  tx.put(marks, `${kind}/${id}`, { since });

export const isMarked = async (tx: Tx, kind: MarkKind, id: string): Promise<boolean> =>
  (await tx.get(marks, `${kind}/${id}`)) !== undefined;

export function marked(id: string): { kind: MarkKind; id: string } {
  const slash = id.indexOf('/');
  return { kind: id.slice(0, slash) as MarkKind, id: id.slice(slash + 1) };
}
