// Puts test files together that run in one process, one after another. A process reads 1,700 modules before its first
// test, which takes longer than most of the files.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LONGEST } from './longest-first.ts';
import { startsProcesses } from './quick-tests.ts';

const FILES_IN_BATCH = 8;

/** The tests of the scripts are about whole runs and the repository; they do not import what the packages import. */
const ALONE = ['scripts/', 'packages/web/', ...LONGEST];
/** In a file that changes what all files of a process share. */
const MOCKS = /^import .*\bmock\b.* from 'node:test'/m;

/**
 * Returns the files that the runner starts: test files that run alone, and after them files that import several others.
 * @param root the folder of the project
 * @param files paths below the root
 * @param folder an existing folder for the files that are written
 */
export function inBatches(root: string, files: readonly string[], folder: string): string[] {
  const alone = files.filter((file) => isAlone(root, file));
  const together = files.filter((file) => !alone.includes(file)).sort();
  const count = Math.ceil(together.length / FILES_IN_BATCH);
  // Neighbours are alike. Each batch takes files from the whole list, so that the batches take equally long.
  const batches = Array.from({ length: count }, (_, n) => together.filter((_file, at) => at % count === n));
  mkdirSync(folder, { recursive: true });
  return [
    ...alone.map((file) => join(root, file)),
    ...batches.map((batch, n) => {
      const path = join(folder, `batch-${n + 1}.test.js`);
      writeFileSync(path, textOf(root, batch));
      return path;
    }),
  ];
}

const isAlone = (root: string, file: string): boolean =>
  ALONE.some((start) => file.startsWith(start)) ||
  MOCKS.test(readFileSync(join(root, file), 'utf8')) ||
  startsProcesses(root, file);

/** Each file is a suite of its own, with its path as the name. */
const textOf = (root: string, batch: readonly string[]): string =>
  [
    "import { describe } from 'node:test';",
    ...batch.map(
      (file) =>
        `describe(${JSON.stringify(file)}, async () => { await import(${JSON.stringify(pathToFileURL(join(root, file)).href)}); });`,
    ),
    '',
  ].join('\n');
