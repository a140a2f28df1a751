// Puts the tables of a backup into an empty database.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../platform/kernel/files.ts';
import { syncFolder } from '../../platform/objects/disk-folder.ts';
import type { Config } from '../../start/config/config.ts';
import type { BackupPlace } from '../backup/backup-place.ts';
import type { Manifest, TableCopy } from '../backup/manifest.ts';
import type { TableRow, WritableDatabase } from '../database/database.ts';
import { openAlone } from '../database/open-database.ts';
import { dataTables, digestOf, sameDigest } from '../database/rows.ts';
import { instanceOf } from '../instance.ts';
import type { OnProgress } from '../progress.ts';
import * as q from '../queries.ts';

const ROWS = 500;

/** @throws Error if the database has tables already */
export async function requireEmptyDatabase(config: Config, instance: string, unfinished: boolean): Promise<void> {
  if (config.database.kind === 'sqlite') {
    const { path } = config.database;
    if (!existsSync(path) || unfinished) return;
    const another =
      originOf(config) === DEFAULT
        ? 'an empty folder with --data-dir'
        : 'a new file with --database-url sqlite:<new file>';
    throw new Error(`the database ${path} is there already${namedBy(config)}. Name ${another}.`);
  }
  const database = await openAlone(config.database);
  try {
    if (unfinished && (await isFilled(database, instance))) return;
    await requireNoTables(database, config);
  } finally {
    await database.close();
  }
}

/** The origin of a setting that nobody gave. */
const DEFAULT = 'default';

const originOf = ({ shown }: Config): string => shown.find(({ name }) => name === 'database-url')?.origin ?? DEFAULT;

/**
 * Returns a clause that tells which variable or file names the database. A user who names only a data folder may not know
 * that there is one. The clause is empty if the command line names the database.
 */
function namedBy(config: Config): string {
  const origin = originOf(config);
  if (origin === DEFAULT || origin.startsWith('flag ')) return '';
  return `: ${origin.startsWith('SEALPOST_') ? origin : `database-url in ${origin}`} names it`;
}

/** Returns whether an earlier attempt has filled a PostgreSQL database, which happens in one transaction. */
const isFilled = async (database: WritableDatabase, instance: string): Promise<boolean> =>
  (await database.tableNames()).includes('server_secret') && (await instanceOf(database)) === instance;

async function requireNoTables(database: WritableDatabase, config: Config): Promise<void> {
  const names = await database.tableNames();
  if (names.length === 0) return;
  throw new Error(
    `the database ${database.location} is not empty: it has the tables ${names.slice(0, 3).join(', ')} and others${namedBy(config)}. Create an empty one, and name it with --database-url.`,
  );
}

export interface RestoredAt {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly onProgress: OnProgress;
}

/** Fills the database, checks it, and makes it usable as the last step. */
export async function restoreDatabase(
  config: Config,
  manifest: Manifest,
  place: BackupPlace,
  { time, onProgress }: RestoredAt,
): Promise<void> {
  const { database: where } = config;
  if (where.kind === 'postgres') {
    const database = await openAlone(where);
    try {
      if (await isFilled(database, manifest.instance)) return;
      await database.transact(async () => {
        await requireNoTables(database, config);
        await database.createTables(manifest.schemaVersion);
        await fillTables(database, manifest, place, onProgress);
        await leaveOldRevisions(database, time);
      });
    } finally {
      await database.close();
    }
    return;
  }
  if (existsSync(where.path)) return; // An earlier attempt ended right after this step.
  makeFolder('the folder of the database', dirname(where.path));
  const unfinished = `${where.path}.restoring`;
  const removeUnfinished = () => {
    for (const ending of ['', '-wal', '-shm', '.lock']) rmSync(unfinished + ending, { force: true });
  };
  removeUnfinished();
  try {
    const database = await openAlone({ kind: 'sqlite', path: unfinished });
    try {
      await database.createTables(manifest.schemaVersion);
      await database.transact(async () => {
        await fillTables(database, manifest, place, onProgress);
        await leaveOldRevisions(database, time);
      });
    } finally {
      await database.close();
    }
    renameSync(unfinished, where.path);
  } finally {
    removeUnfinished();
  }
  await syncFolder(dirname(where.path));
}

async function fillTables(
  database: WritableDatabase,
  manifest: Manifest,
  place: BackupPlace,
  onProgress: OnProgress,
): Promise<void> {
  const tables = new Map((await dataTables(database)).map((table) => [table.name, table]));
  requireSame(
    'tables',
    [...tables.keys()],
    manifest.tables.map(({ name }) => name),
  );
  for (const copy of manifest.tables) {
    const table = tables.get(copy.name);
    if (!table) continue;
    requireSame(
      `columns of ${copy.name}`,
      table.columns.map(({ name }) => name),
      copy.columns,
    );
    // Some migrations insert rows. They are removed, because the backup contains the same rows.
    await database.run(q.clear(copy.name));
    let done = 0;
    for await (const rows of rowsIn(copy, place)) {
      await database.insert(table, rows);
      done += rows.length;
      onProgress({ what: `table ${copy.name}`, done, all: copy.rows });
    }
    if (!sameDigest(await digestOf(database, table), copy))
      throw new Error(`the table ${copy.name} is not as in the backup after it was restored. Nothing was kept.`);
  }
}

function requireSame(what: string, now: readonly string[], copied: readonly string[]): void {
  if ([...now].sort().join() !== [...copied].sort().join())
    throw new Error(`the ${what} are ${[...now].join(', ')}, and in the backup they are ${copied.join(', ')}`);
}

async function* rowsIn(copy: TableCopy, place: BackupPlace): AsyncGenerator<readonly TableRow[]> {
  for (const part of copy.parts) {
    const lines = (await place.readPart(part)).split('\n');
    for (let at = 0; at < lines.length; at += ROWS) {
      yield lines.slice(at, at + ROWS).map((line): TableRow => JSON.parse(line));
    }
  }
}

/**
 * Continues each operation log above every revision that a client may have seen. So no revision gets a second content,
 * and every client is told to read everything again. A client may have seen revisions that are newer than the backup,
 * also at a server that was restored from it before. A log does not grow by one operation in each millisecond, so the
 * time of the restore exceeds them all.
 */
export async function leaveOldRevisions(database: WritableDatabase, time: number): Promise<void> {
  await database.run(q.dropReadOperations);
  await database.run(q.raiseAllHeads, time, time);
  const names = await database.tableNames();
  if (names.includes('subscriber_cursor')) await database.run(q.moveCursors);
}
