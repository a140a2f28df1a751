// Gives out a report: to a file, or to standard output.
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { writeFault } from './file-faults.ts';

/**
 * Returns the function that gives out a report. Makes the file at once, so that a long run does not fail only at its
 * end. Without a path, the report goes to standard output.
 * @throws CliError if the file cannot be written
 */
export function reportTo(path: string | undefined): (text: string) => void {
  if (path === undefined) return (text) => void process.stdout.write(text);
  const writable = (write: () => void): void => {
    try {
      write();
    } catch (error) {
      throw writeFault(path, error);
    }
  };
  writable(() => closeSync(openSync(path, 'a')));
  return (text) => writable(() => writeFileSync(path, text));
}
