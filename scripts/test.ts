// `npm test`: every test of every package, on SQLite and on a real PostgreSQL, with NATS, S3 and a real browser. With
// arguments, it runs only the test files whose path contains one of them. A whole run also finds the declared
// operations that no call appended.
import { randomInt } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { neverAppended } from '@sealpost/dev-env/emissions';
import { counter } from './test-count.ts';
import { provide, type Service } from './test-services.ts';
import { fileTimes } from './test-times.ts';
import { wantedServices } from './wanted-services.ts';

const root = join(import.meta.dirname, '..');
const CONCURRENCY = 2;
const SEEDS = 2 ** 31;
/** The time after which a hanging test fails. The longest tests, which kill servers in a loop, take much less. */
const TIMEOUT_MS = 8 * 60_000;

function testFiles(): string[] {
  const wanted = process.argv.slice(2);
  const files = globSync(['packages/*/test/**/*.test.ts', 'scripts/test/*.test.ts'], { cwd: root }).sort();
  const chosen = wanted.length === 0 ? files : files.filter((file) => wanted.some((part) => file.includes(part)));
  if (chosen.length === 0) throw new Error(`no test file matches ${wanted.join(', ')}`);
  return chosen.map((file) => join(root, file));
}

/**
 * If the seed is to be random, draws one seed for all test files. The seed is printed, so that a failed run can be
 * repeated.
 */
function drawSeed(): void {
  if (process.env.SEALPOST_TEST_SEED === 'any') process.env.SEALPOST_TEST_SEED = String(randomInt(SEEDS));
}

async function runTests(): Promise<ReturnType<typeof counter>> {
  const counts = counter();
  const events = run({ files: testFiles(), concurrency: CONCURRENCY, timeout: TIMEOUT_MS });
  events.on('test:pass', counts.passed);
  events.on('test:fail', counts.failed);
  events.on('test:summary', times.note);
  for await (const text of events.compose(new spec())) process.stdout.write(text as string);
  return counts;
}

/**
 * Makes the servers of the run note which operations their calls append. The returned function lists the declared
 * operations that are missing.
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

// Without a cache, Node strips types and compiles anew in each process. That takes most of the time of a short test.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/compiled');
drawSeed();
const times = fileTimes(root);
const missingEmissions = process.argv.length > 2 ? () => [] : gatherEmissions();
const services: (Service | undefined)[] = [];
for (const name of wantedServices(root, testFiles())) services.push(await provide(name));
const stopAll = async (): Promise<void> => {
  for (const service of services) await service?.stop();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    console.error(`stopped by ${signal}`);
    void stopAll().finally(() => process.exit(1));
  });
}
try {
  const counts = await runTests();
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
} catch (error) {
  await stopAll();
  throw error;
}
// Some tests leave sockets of killed servers behind in this process, which would keep the process running. The counts
// are final by now.
process.exit();
