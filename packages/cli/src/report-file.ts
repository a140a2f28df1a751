// Gives out a report: to a file, or to standard output.
import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CliError } from './exit-codes.ts';
import { writeFault } from './file-faults.ts';

/**
 * Returns the function that gives out a report. Checks the file at once, so that a long run does not fail only at its
 * end. Without a path, the report goes to standard output.
 * @throws CliError if the file cannot be written
 */
export function reportTo(path: string | undefined): (text: string) => void {
  if (path === undefined) return (text) => void process.stdout.write(text);
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      throw error instanceof CliError ? error : writeFault(path, error);
    }
  };
  attempt(() => requireWritable(path));
  return (text) => attempt(() => writeFileSync(path, text));
}

function requireWritable(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw new CliError(`${path} is a folder: name a file in it.`);
  accessSync(there ? path : dirname(path), constants.W_OK);
}
