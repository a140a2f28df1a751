// Protects what is not a file from commands that replace a whole file in one step.
import { lstatSync, type Stats } from 'node:fs';
import { CliError } from './exit-codes.ts';
import { writeFault } from './file-faults.ts';

/**
 * Checks that a new file may take this name: nothing has it, or a regular file. A rename would put the file in the
 * place of anything else. As root, it would replace even /dev/null for the whole machine.
 * @throws CliError
 */
export function requireReplaceable(path: string): void {
  const there = statsOf(path);
  if (there && !there.isFile()) throw new CliError(`${path} ${refusal(there)}`);
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw writeFault(path, error);
  }
}

function refusal(there: Stats): string {
  if (there.isDirectory()) return 'is a folder: name a file in it.';
  if (there.isSymbolicLink()) return 'is a symbolic link: name the file that it points to.';
  return 'is not a file but a device, a pipe or a socket: name a file.';
}
