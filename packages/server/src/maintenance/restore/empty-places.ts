// Refuses to restore over existing data. If an interrupted restore left its mark, the restore continues.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder, writeAtomically } from '../../platform/kernel/files.ts';
import { restoreMark } from '../../start/unfinished-restore.ts';

/** The names in a data folder that a restore makes. */
const OWN = new Set(['restoring.json', 'objects', 'admin-token', 'sealpost.db', 'sealpost.db.lock']);
/**
 * Names that a data folder may contain and still count as empty: `lost+found` of a new disk, and the folder of uploads
 * to a bucket.
 */
const NOTHING = new Set(['lost+found', 'spool']);

export interface RestoreMark {
  /** The id of the backup. */
  readonly backup: string;
  readonly place: string;
  /** The database that is filled. */
  readonly database: string;
}

/**
 * Makes the data folder ready, and marks it until the restore is finished.
 * @throws Error if the folder has data, or an unfinished restore of another backup
 */
export function beginIn(dataDir: string, mark: RestoreMark): void {
  const names = existsSync(dataDir) ? readdirSync(dataDir).filter((name) => !NOTHING.has(name)) : [];
  const begun = unfinishedIn(dataDir);
  const strange = begun ? names.filter((name) => !OWN.has(name.replace(/\.restoring.*$/, ''))) : names;
  if (strange.length > 0) {
    throw new Error(
      `the data folder ${resolve(dataDir)} is not empty: it has ${strange.slice(0, 3).join(', ')}. Name an empty or a new folder with --data-dir.`,
    );
  }
  if (begun && JSON.stringify(begun) !== JSON.stringify(mark)) {
    throw new Error(
      `the data folder ${resolve(dataDir)} has an unfinished restore of the backup ${begun.backup} in ${begun.place} into the database ${begun.database}. Finish that one, or remove the folder.`,
    );
  }
  makeFolder('data-dir', dataDir);
  writeAtomically('the mark of a restore', restoreMark(dataDir), `${JSON.stringify(mark)}\n`, 0o600);
}

export const isUnfinished = (dataDir: string): boolean => unfinishedIn(dataDir) !== undefined;

function unfinishedIn(dataDir: string): RestoreMark | undefined {
  const path = restoreMark(dataDir);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

/** Removes what a failed restore has made in the data folder. */
export function undoIn(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (OWN.has(name.replace(/\.restoring.*$/, '')) && name !== 'restoring.json')
      rmSync(join(dataDir, name), { recursive: true, force: true });
  }
  rmSync(restoreMark(dataDir), { force: true });
}
