// What makes the bytes of an artifact depend on its content alone: one time for all files, and equal modes and owners.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** Seconds since 1970 that all files of an artifact get. */
export type SourceTime = number;

/**
 * Returns the time for the files of artifacts: SOURCE_DATE_EPOCH, otherwise that of the newest commit.
 * @throws Error if there is neither
 */
export function sourceTime(root: string): SourceTime {
  const given = process.env.SOURCE_DATE_EPOCH ?? commitTime(root);
  if (/^\d{1,12}$/.test(given)) return Number(given);
  throw new Error(`SOURCE_DATE_EPOCH is ${JSON.stringify(given)}; it must be seconds since 1970`);
}

function commitTime(root: string): string {
  try {
    return execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    throw new Error('the time of the newest commit is unknown: set SOURCE_DATE_EPOCH to seconds since 1970');
  }
}

/** Sets the modes of all files and folders: everybody reads, and the owner writes. */
export const setModes = (folder: string): void => {
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', folder]);
};

/** Makes all files of a folder data: nobody runs them as programs. */
export const setNotExecutable = (folder: string): void => {
  execFileSync('find', [folder, '-type', 'f', '-exec', 'chmod', '0644', '{}', '+']);
};

/** Makes a second folder with the same files, without copying their content. Changing a file there changes both. */
export const linkFolder = (from: string, to: string): void => {
  execFileSync('cp', ['-al', from, to]);
};

/** Returns the content of a file, compressed by gzip without the time. */
export const gzipped = (file: string): Buffer => gzipSync(readFileSync(file), { level: 9 });

/** Flags with which tar writes the same bytes for the same content. */
export const tarFlags = (time: SourceTime): string[] => [
  '--sort=name',
  `--mtime=@${time}`,
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  '--format=gnu',
];
