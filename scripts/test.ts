// `npm test`: every test of every package, on SQLite and on a real PostgreSQL, with NATS, S3 and a real browser.
// With arguments it runs only the test files whose path contains one of them.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { counter } from './test-count.ts';
import { findNats } from './test-nats.ts';
import { findPostgres } from './test-postgres.ts';
import { findProgram } from './test-program.ts';
import { findPython } from './test-python.ts';
import { findS3 } from './test-s3.ts';

/** What a test needs from outside: where it is, what it is called in the environment, and how to end it. */
export interface Service {
  readonly url: string;
  readonly from: string;
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '..');
const CONCURRENCY = 2;
/** A test that hangs fails; the longest kill loops stay well below. */
const TIMEOUT_MS = 8 * 60_000;

async function provide(
  name: string,
  variable: string,
  find: (named: string | undefined) => Promise<Service>,
): Promise<Service | undefined> {
  try {
    const service = await find(process.env[variable]);
    process.env[variable] = service.url;
    console.log(`${name}: ${service.from}`);
    return service;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (process.env.CI) throw new Error(`${name} is required in CI: ${reason} (set ${variable})`);
    console.log(`skipped: all tests on ${name}: ${reason}; set ${variable} to run them`);
    return undefined;
  }
}

function testFiles(): string[] {
  const wanted = process.argv.slice(2);
  const files = globSync('packages/*/test/**/*.test.ts', { cwd: root }).sort();
  const chosen = wanted.length === 0 ? files : files.filter((file) => wanted.some((part) => file.includes(part)));
  if (chosen.length === 0) throw new Error(`no test file matches ${wanted.join(', ')}`);
  return chosen.map((file) => join(root, file));
}

async function runTests(): Promise<ReturnType<typeof counter>> {
  const counts = counter();
  const events = run({ files: testFiles(), concurrency: CONCURRENCY, timeout: TIMEOUT_MS });
  events.on('test:pass', counts.passed);
  events.on('test:fail', counts.failed);
  for await (const text of events.compose(new spec())) process.stdout.write(text as string);
  return counts;
}

const services = [
  await provide('PostgreSQL', 'SEALPOST_TEST_POSTGRES_URL', findPostgres),
  await provide('NATS', 'SEALPOST_TEST_NATS_URL', findNats),
  await provide('Chromium', 'SEALPOST_TEST_CHROMIUM', findProgram('chromium')),
  await provide('strace', 'SEALPOST_TEST_STRACE', findProgram('strace')),
  await provide('Python', 'SEALPOST_TEST_PYTHON', findPython),
  await provide('S3', 'SEALPOST_TEST_S3_URL', findS3),
];
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
  if (!counts.good()) process.exitCode = 1;
  await stopAll();
  console.log(counts.line());
} catch (error) {
  await stopAll();
  throw error;
}
// Some tests leave sockets of killed servers behind in this process; the counts are final by now.
process.exit();
