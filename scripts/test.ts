// `npm test`: runs every test of every package, on SQLite and on a real PostgreSQL, with NATS, S3 and a real browser.
// With arguments, runs only the test files whose path contains one of them. A run without arguments also lists declared
// operations that no call appended. `--quick` leaves out slow files, and uses only SQLite and no service.
import { randomInt } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { neverAppended } from '@sealpost/dev-env/emissions';
import { readOptions } from '@sealpost/dev-env/program-options';
import { repeats } from '@sealpost/dev-env/repeats';
import { longestFirst } from './longest-first.ts';
import { useMemoryFolder } from './memory-folder.ts';
import { isQuick } from './quick-tests.ts';
import { inBatches } from './test-batches.ts';
import { provideCommand } from './test-command.ts';
import { counter } from './test-count.ts';
import { limitOf } from './test-limit.ts';
import { provide, type Service, serviceNames, serviceVariable } from './test-services.ts';
import { fileTimes } from './test-times.ts';
import { wantedServices } from './wanted-services.ts';

const root = join(import.meta.dirname, '..');
/**
 * The number of files that run at once. It exceeds the number of processors, because many tests wait: for S3, for
 * polls, for a server to start.
 */
const CONCURRENCY = availableParallelism() + 1;
const SEEDS = 2 ** 31;
/** Milliseconds after which a hanging test fails. The longest files, which kill servers in a loop, take much less. */
const USUAL_TIMEOUT_MS = 8 * 60_000;
const TIMEOUT_MS = Math.max(USUAL_TIMEOUT_MS, repeats(USUAL_TIMEOUT_MS));
/** Milliseconds that a process has to close what it opened, after the time limit of its tests. */
const CLOSING_MS = 60_000;

const { values: flags, positionals: wanted } = readOptions(import.meta.filename, {
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});

interface TestFiles {
  /** The paths of the test files to run, below the root. */
  readonly chosen: readonly string[];
  /** The number of files that are left out because they are slow. */
  readonly slow: number;
}

function findTestFiles(): TestFiles {
  const files = globSync(['packages/*/test/**/*.test.ts', 'scripts/test/*.test.ts'], { cwd: root }).sort();
  const named = wanted.length === 0 ? files : files.filter((file) => wanted.some((part) => file.includes(part)));
  const chosen = flags.quick ? named.filter((file) => isQuick(root, file)) : named;
  if (chosen.length === 0)
    throw new Error(`no test file matches ${[...wanted, flags.quick ? '--quick' : ''].join(' ')}`);
  return { chosen: longestFirst(chosen), slow: named.length - chosen.length };
}

/** Finds or starts the services that the files need. */
async function provideServices(files: readonly string[]): Promise<(Service | undefined)[]> {
  if (flags.quick) {
    for (const name of serviceNames) delete process.env[serviceVariable(name)];
    return [];
  }
  const found: (Service | undefined)[] = [];
  for (const name of wantedServices(root, files)) found.push(await provide(name));
  return found;
}

/**
 * If the environment asks for a random seed, draws one seed for all test files. The run prints the seed, so that a
 * failed run can be repeated.
 */
function drawSeed(): void {
  if (process.env.SEALPOST_TEST_SEED === 'any') process.env.SEALPOST_TEST_SEED = String(randomInt(SEEDS));
}

async function runTests(chosen: readonly string[]): Promise<ReturnType<typeof counter>> {
  const counts = counter();
  const files = inBatches(root, chosen, join(tmpdir(), `sealpost-batches-${process.pid}`));
  const execArgv = [limitOf(TIMEOUT_MS + CLOSING_MS)];
  const events = run({ files, concurrency: CONCURRENCY, timeout: TIMEOUT_MS, execArgv });
  events.on('test:pass', counts.passed);
  events.on('test:fail', counts.failed);
  events.on('test:summary', times.note);
  events.on('test:pass', times.noteInBatch);
  for await (const text of events.compose(new spec())) process.stdout.write(text as string);
  return counts;
}

/**
 * Makes the servers of the run record which operations their calls append. The returned function lists the declared
 * operations that no call appended.
 */
function gatherEmissions(): () => string[] {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-emissions-'));
  const file = join(folder, 'appended');
  writeFileSync(file, '');
  process.env.SEALPOST_TEST_EMISSIONS = file;
  return () => {
    const missing = neverAppended(readFileSync(file, 'utf8'));
    rmSync(folder, { recursive: true });
    return missing;
  };
}

// A cache of compiled code is set. Without it, each process would strip types and compile again, which takes most of
// the time of a short test.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/compiled');
drawSeed();
const removeFolder = useMemoryFolder();
const times = fileTimes(root);
const { chosen, slow } = findTestFiles();
const missingEmissions = wanted.length > 0 || flags.quick ? () => [] : gatherEmissions();
const removeCommand = await provideCommand(root, chosen);
const services = await provideServices(chosen);
const stopAll = async (): Promise<void> => {
  for (const service of services) await service?.stop();
  removeCommand();
  removeFolder();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    console.error(`stopped by ${signal}`);
    void stopAll().finally(() => process.exit(1));
  });
}
try {
  const counts = await runTests(chosen);
  const missing = missingEmissions();
  if (missing.length > 0) {
    console.error(`the contract declares, and no call of this run appended:\n  ${missing.join('\n  ')}`);
    counts.failedBeside();
  }
  if (!counts.good()) process.exitCode = 1;
  await stopAll();
  const { SEALPOST_TEST_SEED } = process.env;
  if (SEALPOST_TEST_SEED !== undefined) console.log(`SEALPOST_TEST_SEED=${SEALPOST_TEST_SEED}`);
  for (const line of times.slowest()) console.log(line);
  console.log(counts.line());
  if (flags.quick) console.log(`left out ${slow} slow files, and all services: \`npm test\` runs everything`);
} catch (error) {
  await stopAll();
  throw error;
}
// Some tests leave open sockets to killed servers, which would keep this process running. All tests have ended, so the
// process exits now.
process.exit();
