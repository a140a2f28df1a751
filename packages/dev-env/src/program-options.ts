// Reads the options of a program for developers. The comment at the head of its file explains them.
import { readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * Returns the options and the other arguments of this process. With `--help` or an option that does not exist, it prints
 * the comment at the head of the program, and ends the process.
 * @param file the file of the program
 */
export function readOptions<T extends ParseArgsConfig>(file: string, config: T): ReturnType<typeof parseArgs<T>> {
  if (process.argv.slice(2).includes('--help')) {
    console.log(headOf(file));
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    if (!isWrongUse(error)) throw error;
    console.error(`${error.message}\n\n${headOf(file)}`);
    process.exit(2);
  }
}

const isWrongUse = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');

/** Returns the comment at the head of a file, without its slashes. */
function headOf(file: string): string {
  const lines = readFileSync(file, 'utf8').split('\n');
  const head = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('//')),
  );
  return head.map((line) => line.replace(/^\/\/ ?/, '')).join('\n');
}
