// Creates and writes the server's own files and folders. An error names the path and says what to do.
import { mkdirSync, renameSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const user = (): string => (process.getuid ? `the user with id ${process.getuid()}` : 'the user of this process');

/** Advice about errors of the operating system, by error code. */
const advice: Readonly<Record<string, () => string>> = {
  ENOSPC: () => 'the disk is full. Make room on it, then start again',
  EDQUOT: () => `the disk quota of ${user()} is used up. Make room, then start again`,
  EACCES: () => `${user()} has no permission. Give it the folder (chown), or name another place`,
  EPERM: () => `${user()} has no permission. Give it the folder (chown), or name another place`,
  EROFS: () => 'the disk is mounted read-only. Mount it for writing, or name another place',
  ENOTDIR: () => 'a part of the path is a file. Name another place',
  EISDIR: () => 'there is a folder of that name. Name another place',
  ENOENT: () => 'a part of the path is not there and cannot be made. Name another place',
};

/** Error for a file or folder that cannot be used. The message names the path and says what to do. */
export class FileProblem extends Error {
  override name = 'FileProblem';
  /** @param what the role of the path, such as "the data folder" */
  constructor(what: string, path: string, cause: unknown) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    super(`${what} ${resolve(path)} cannot be used: ${advice[code]?.() ?? message} (${code || 'no code'}).`, { cause });
  }
}

/**
 * Creates a folder and its parents, with access for the user of this process only. Does not use Node's recursive
 * option, because this option loops for ever where a new folder fails with "not found", such as in `/proc`.
 */
function makeFolders(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    const above = dirname(path);
    if (code !== 'ENOENT' || statSync(above, { throwIfNoEntry: false })) throw error;
    makeFolders(above);
    mkdirSync(path, { mode: 0o700 });
  }
}

/**
 * Creates a folder and its parents.
 * @throws FileProblem
 */
export function makeFolder(what: string, path: string): void {
  try {
    makeFolders(resolve(path));
  } catch (error) {
    throw new FileProblem(what, path, error);
  }
}

/**
 * Writes a file.
 * @throws FileProblem
 */
export function writeFile(what: string, path: string, text: string, options?: { mode: number; flag: string }): void {
  try {
    writeFileSync(path, text, options);
  } catch (error) {
    throw new FileProblem(what, path, error);
  }
}

/**
 * Creates an empty file that only the user of this process can read, unless the file exists.
 * @throws FileProblem
 */
export function createPrivate(path: string): void {
  writeFile('the file', path, '', { mode: 0o600, flag: 'a' });
}

/**
 * Removes a file if it exists.
 * @throws FileProblem
 */
export function removeFile(what: string, path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw new FileProblem(what, path, error);
  }
}

/**
 * Replaces a file so that a reader sees either the old text or the whole new text.
 * @throws FileProblem
 */
export function writeAtomically(what: string, path: string, text: string, mode?: number): void {
  const fresh = `${path}.tmp`;
  try {
    rmSync(fresh, { force: true });
    writeFileSync(fresh, text, mode === undefined ? {} : { mode });
    renameSync(fresh, path);
  } catch (error) {
    try {
      unlinkSync(fresh);
    } catch {
      // The temporary file was not created, so there is nothing to remove.
    }
    throw new FileProblem(what, path, error);
  }
}
