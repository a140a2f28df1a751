// Groups test files that run one after another in one process. A process loads 1,700 modules before its first test,
// which takes longer than most of the files.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LONGEST } from './longest-first.ts';
import { startsProcesses } from './quick-tests.ts';

const FILES_IN_BATCH = 8;
/** The number of files of the web client in a batch. They take longer, because most of them open browsers. */
const WEB_FILES_IN_BATCH = 3;
const WEB = 'packages/web/';

/**
 * The beginnings of paths of files that run alone. Tests of the scripts run alone because they do not import the
 * modules of the packages. The simulation runs alone because it replaces functions of the whole process.
 */
const ALONE = ['scripts/', 'packages/server/test/simulation/', ...LONGEST];
/** Matches an import in files that mock something for the whole process. */
const MOCKS = /^import .*\bmock\b.* from 'node:test'/m;

/**
 * Returns the files that the runner starts: first the test files that run alone, then written files that import several
 * others.
 * @param root the folder of the project
 * @param files the paths of test files below the root
 * @param folder an existing folder for the written files
 */
export function inBatches(root: string, files: readonly string[], folder: string): string[] {
  const alone = files.filter((file) => isAlone(root, file));
  const together = files.filter((file) => !alone.includes(file)).sort();
  const batches = [
    ...spread(
      together.filter((file) => file.startsWith(WEB)),
      WEB_FILES_IN_BATCH,
    ),
    ...spread(
      together.filter((file) => !file.startsWith(WEB)),
      FILES_IN_BATCH,
    ),
  ];
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

/**
 * Distributes files over batches. Neighbours in the list take similar times. So each batch takes files from all parts of
 * the list, and all batches take similar times.
 */
function spread(files: readonly string[], most: number): string[][] {
  const count = Math.ceil(files.length / most);
  return Array.from({ length: count }, (_, n) => files.filter((_file, at) => at % count === n));
}

const isAlone = (root: string, file: string): boolean =>
  ALONE.some((start) => file.startsWith(start)) ||
  MOCKS.test(readFileSync(join(root, file), 'utf8')) ||
  startsProcesses(root, file);

/** Returns a module that imports each file of a batch as a suite. The name of the suite is the path of the file. */
const textOf = (root: string, batch: readonly string[]): string =>
  [
    "import { describe } from 'node:test';",
    ...batch.map(
      (file) =>
        `describe(${JSON.stringify(file)}, async () => { await import(${JSON.stringify(pathToFileURL(join(root, file)).href)}); });`,
    ),
    '',
  ].join('\n');
