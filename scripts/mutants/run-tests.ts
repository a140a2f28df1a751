// Runs test files until the first test fails. The runner of Node would run all tests.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** How tests ended: all passed, one failed, or the time ran out. */
export type Outcome =
  | { readonly kind: 'passed'; readonly count: number }
  | { readonly kind: 'failed'; readonly by: string }
  | { readonly kind: 'hung'; readonly in: string };

export interface TestRun {
  readonly root: string;
  readonly tests: readonly string[];
  /** Patterns for `--test-name-pattern`. If the list is empty, all tests run. */
  readonly patterns: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** Removes what a killed test process left outside its folder. */
  readonly afterwards: (pid: number) => Promise<void>;
}

const FAILED = /^\s*not ok \d+ - (.*)$/;
const PASSED = /^\s*ok \d+ - (.*)$/;
const NOT_RUN = /# (SKIP|TODO)/;
const running = new Set<ChildProcess>();

/** Kills all tests that are running now. */
export function killTests(): void {
  for (const child of running) kill(child);
}

export async function runTests(run: TestRun): Promise<Outcome> {
  const until = performance.now() + run.timeoutMs;
  let count = 0;
  for (const file of run.tests) {
    const outcome = await runFile(run, file, until - performance.now());
    if (outcome.kind !== 'passed') return outcome;
    count += outcome.count;
  }
  return { kind: 'passed', count };
}

async function runFile(run: TestRun, file: string, timeoutMs: number): Promise<Outcome> {
  const patterns = run.patterns.map((pattern) => `--test-name-pattern=${pattern}`);
  const child = spawn(process.execPath, ['--test-reporter=tap', ...patterns, file], {
    cwd: run.root,
    env: run.env,
    stdio: ['ignore', 'pipe', 'ignore'],
    // The process leads a new process group, so that its children can be killed with it.
    detached: true,
  });
  running.add(child);
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const first = await Promise.race([firstFailure(child, file), late(timeoutMs, file)]);
  // If no failure was printed, the output of the child process has ended, so the child exits soon. Its exit code tells
  // whether the file as a whole failed.
  const outcome =
    first.kind === 'passed' ? ((await Promise.race([failedExit(ended, file), late(timeoutMs, file)])) ?? first) : first;
  kill(child);
  await ended;
  running.delete(child);
  await run.afterwards(child.pid ?? 0);
  return outcome;
}

async function firstFailure(child: ChildProcess, file: string): Promise<Outcome> {
  if (!child.stdout) throw new Error('the tests have no output');
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (NOT_RUN.test(line)) continue;
    const failed = FAILED.exec(line);
    if (failed) return { kind: 'failed', by: failed[1] ?? file };
    if (PASSED.test(line)) count += 1;
  }
  return { kind: 'passed', count };
}

async function failedExit(ended: Promise<number | null>, file: string): Promise<Outcome | undefined> {
  return (await ended) === 0 ? undefined : { kind: 'failed', by: `${file} as a whole` };
}

const late = (ms: number, file: string): Promise<Outcome> =>
  new Promise((resolve) => {
    setTimeout(() => resolve({ kind: 'hung', in: file }), Math.max(ms, 0)).unref();
  });

function kill(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
