// A mark in a database on which no server may start: a database that was moved elsewhere, or one that is being filled.
// The table of marks exists only while there is a mark, so most databases do not have this table.

/**
 * `moving`: a move of this database to `place` was begun. `moved`: the move is finished. `filling`: this database gets
 * the data of `place`.
 */
type MarkState = 'moving' | 'moved' | 'filling';

export interface DatabaseMark {
  readonly state: MarkState;
  /** The other database, without credentials. */
  readonly place: string;
  /** The id of the move. Both databases have it. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly time: number;
}

export const MARK_TABLE = 'database_mark';
/** The table with the progress of a move, in the database that is filled. */
export const PROGRESS_TABLE = 'move_progress';
export const VERSION_TABLE = 'schema_version';

/** The tables that are not data: the version of the schema, the servers that run, marks and progress. */
export const ownTables: ReadonlySet<string> = new Set([MARK_TABLE, PROGRESS_TABLE, VERSION_TABLE, 'node_holder']);

export const READ_MARK = `select state, place, id, time from ${MARK_TABLE}`;

/**
 * @param mark the row of the mark, as a driver returns it
 * @throws Error that tells why no server starts on a database with this mark, and what to do
 */
export function refuseMarked(mark: Readonly<Record<string, unknown>> | undefined, database: string): void {
  if (mark) throw new Error(`${database} cannot be used by a server: ${problemOf(mark)}`);
}

function problemOf({ state, place, time }: Readonly<Record<string, unknown>>): string {
  const day = new Date(Number(time)).toISOString().slice(0, 10);
  if (state === 'moved')
    return `it was moved to ${place} on ${day}, and newer data is there. Set database-url to that place. To use this older copy all the same, run \`sealpost move --cancel\` on it.`;
  if (state === 'moving')
    return `a move to ${place} began on ${day} and is not finished. Repeat the same \`sealpost move\`, or give it up with \`sealpost move --cancel\`.`;
  return `a move from ${place} fills it and is not finished. Repeat the same \`sealpost move\` with the settings of ${place}.`;
}
