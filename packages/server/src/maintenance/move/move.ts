// Moves the data of a server into another database. A move that was interrupted continues where it stopped.
import { ConfigError } from '../../platform/kernel/config-error.ts';
import type { ServerPorts } from '../../platform/kernel/ports.ts';
import { randomHex } from '../../platform/kernel/random-text.ts';
import type { DatabaseMark } from '../../platform/store/database-mark.ts';
import { portsOf } from '../../start/adapters.ts';
import type { ConfigSources } from '../../start/config/sources.ts';
import { createOpened } from '../../start/opened.ts';
import type { WritableDatabase } from '../database/database.ts';
import { locationOf, openAlone, openExisting } from '../database/open-database.ts';
import { schemaVersionOf } from '../instance.ts';
import { serverConfig } from '../places.ts';
import type { OnProgress } from '../progress.ts';
import { copyTables } from './copy-tables.ts';
import { markOf, putMark } from './marks.ts';
import { moveObjects } from './move-objects.ts';
import { finishTarget, prepareTarget } from './target.ts';

export interface MoveOptions {
  readonly sources: ConfigSources;
  /** The address of the new database, `postgres://…` or `sqlite:<file>`. */
  readonly to: string;
  /** The new place of the objects, as the setting objects-url has it. Undefined leaves them where they are. */
  readonly objectsTo?: string | undefined;
  readonly onProgress?: OnProgress;
  readonly ports?: Partial<ServerPorts>;
}

export interface MoveResult {
  /** The two databases, without credentials. */
  readonly from: string;
  readonly to: string;
  /** False if the move had been finished before. */
  readonly moved: boolean;
  readonly tables: number;
  readonly rows: number;
  readonly objects?: { readonly count: number; readonly bytes: number; readonly place: string };
}

export async function move(options: MoveOptions): Promise<MoveResult> {
  const { sources, to, onProgress = () => {} } = options;
  const config = serverConfig(sources);
  const target = serverConfig({
    ...sources,
    flags: { ...sources.flags, 'database-url': to },
    calledBy: { 'database-url': '--to' },
  }).database;
  if (locationOf(config.database) === locationOf(target))
    throw new ConfigError(`--to names ${locationOf(target)}, which is the database that the server has now.`);
  const { clock, random } = portsOf(options.ports);
  const opened = createOpened();
  try {
    const source = opened.add(await openExisting(config.database));
    await schemaVersionOf(source);
    const destination = opened.add(await openAlone(target));
    const newMark: DatabaseMark = {
      ...{ state: 'moving', place: destination.location },
      ...{ id: randomHex(random, 8), time: clock.now() },
    };
    const mark = await beginOrGoOn(source, destination, newMark);
    const ends = { from: source.location, to: destination.location };
    if (mark === 'finished') return { ...ends, moved: false, tables: 0, rows: 0 };
    await prepareTarget(source, destination, { ...mark, state: 'filling', place: source.location });
    const copied = await copyTables(source, destination, onProgress);
    const objects = await moveObjects(config, source, options, onProgress);
    // The old database is closed to servers before the new one is open to them.
    await putMark(source, { ...mark, state: 'moved', time: clock.now() });
    await finishTarget(destination);
    return { ...ends, moved: true, ...copied, ...(objects && { objects }) };
  } finally {
    await opened.close();
  }
}

/**
 * Returns the mark of the interrupted move, or of a new move. Returns `finished` if nothing is left to do.
 * @throws Error if the databases belong to other moves
 */
async function beginOrGoOn(
  source: WritableDatabase,
  destination: WritableDatabase,
  newMark: DatabaseMark,
): Promise<DatabaseMark | 'finished'> {
  const [mark, other] = [await markOf(source), await markOf(destination)];
  if (mark && (mark.state === 'filling' || mark.place !== destination.location)) {
    throw new Error(
      mark.state === 'filling'
        ? `a move from ${mark.place} into this database is not finished. Finish that one first.`
        : `a move of this database to ${mark.place} ${mark.state === 'moved' ? 'is finished' : 'was begun'}. ${mark.state === 'moved' ? 'Move on from there' : 'Repeat it with that address'}, or take the mark away with \`sealpost move --cancel\`.`,
    );
  }
  const names = await destination.tableNames();
  if (names.length > 0 && !(mark && other?.state === 'filling' && other.id === mark.id)) {
    if (mark?.state === 'moved' && other === undefined) return 'finished';
    throw new Error(
      other?.state === 'filling'
        ? `the database ${destination.location} has a part of another move, from ${other.place}. Empty it, or create another one.`
        : `the database ${destination.location} is not empty: it has the tables ${names.slice(0, 3).join(', ')} and others. Create an empty one.`,
    );
  }
  if (mark) return mark;
  await putMark(source, newMark);
  return newMark;
}

/**
 * Removes the mark of a move from a database, so that a server can use the database again.
 * @returns the mark; undefined if there was none
 */
export async function cancelMove(sources: ConfigSources): Promise<DatabaseMark | undefined> {
  const database = await openExisting(serverConfig(sources).database);
  try {
    const mark = await markOf(database);
    if (mark?.state === 'filling')
      throw new Error(
        `${database.location} is only a part of ${mark.place}, so no server can use it. Remove it, or finish the move.`,
      );
    if (mark) await finishTarget(database);
    return mark;
  } finally {
    await database.close();
  }
}
