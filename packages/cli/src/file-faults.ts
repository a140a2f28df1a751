// The errors of files that cannot be read or written, as people read them: the file, the cause, and what to do.
import { dirname, resolve } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { CliError, exitCodes } from './exit-codes.ts';
import { oneLine } from './output.ts';

/** What to do about an error of the operating system, by error code. The path is that of the wanted file. */
const remedies: Readonly<Record<string, (path: string) => string>> = {
  ENOSPC: () => 'Make room on the disk, or name a file on another one.',
  EDQUOT: () => 'Make room, or name a file on another disk.',
  EACCES: (path) => `Give this user the right to write into ${dirname(path)}, or name a file elsewhere.`,
  EPERM: (path) => `Give this user the right to write into ${dirname(path)}, or name a file elsewhere.`,
  EROFS: () => 'The disk is mounted read-only: name a file on another one.',
  ENOENT: (path) => `Make the folder ${dirname(path)} first, or name a file elsewhere.`,
  ENOTDIR: (path) => `${dirname(path)} is not a folder: name a file elsewhere.`,
  EISDIR: () => 'It is a folder: name a file in it.',
};

/** Returns the cause of an error in the words of the operating system, without its code, call and path. */
export function systemCause(error: unknown): string {
  const { errno, message } = systemError(error);
  return errno === undefined ? message : getSystemErrorMessage(errno);
}

/** Returns the error for a file that cannot be written. It names the file that the user wanted. */
export function writeFault(path: string, error: unknown): CliError {
  const wanted = resolve(path);
  const { code = '' } = systemError(error);
  const remedy = remedies[code]?.(wanted) ?? 'Name another file.';
  return new CliError(`${wanted} cannot be written: ${systemCause(error)}. ${remedy}`);
}

/** Returns the error for a file that cannot be read. The user named it, so this is wrong usage. */
export const readFault = (path: string, error: unknown): CliError =>
  new CliError(`${oneLine(path)} cannot be read: ${systemCause(error)}.`, exitCodes.usage);

const systemError = (error: unknown): NodeJS.ErrnoException =>
  error instanceof Error ? error : new Error(String(error));
