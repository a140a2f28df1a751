// Tries mutants in copies of the project. First runs the tests without the fault, then the same tests with the fault.
import type { ServiceName } from '../test-services.ts';
import type { Mutant, PlacedMutant } from './mutant.ts';
import { killTests, type Outcome, runTests } from './run-tests.ts';
import { copyProject, type Workspace } from './workspace.ts';

export type Result =
  | { readonly kind: 'killed'; readonly by: string }
  | { readonly kind: 'hung' }
  | { readonly kind: 'survived' }
  /** The tests fail even without the fault, or no tests were found. */
  | { readonly kind: 'tests fail'; readonly by: string }
  | { readonly kind: 'left out'; readonly because: string };

export interface Options {
  readonly root: string;
  readonly workers: number;
  /** Returns the environment for tests that need these services. */
  readonly environment: (needs: readonly ServiceName[]) => NodeJS.ProcessEnv;
  readonly afterwards: (pid: number) => Promise<void>;
  /** Milliseconds after which no further mutant is started. */
  readonly limitMs: number;
  /** Minimum time in milliseconds for the tests of one mutant. */
  readonly patienceMs: number;
  readonly report: (mutant: PlacedMutant, result: Result, seconds: number) => void;
}

interface Baseline {
  readonly ms: number;
  readonly outcome: Outcome;
}

/** Maximum factor by which tests may take longer with a fault than without it. */
const SLOWER = 5;
/** Time limit in milliseconds for tests without a fault. */
const BASELINE_MS = 4 * 60_000;

export async function runMutants(mutants: readonly PlacedMutant[], options: Options): Promise<Map<string, Result>> {
  const workspaces = Array.from({ length: Math.min(options.workers, mutants.length) }, () => copyProject(options.root));
  const removeAll = () => {
    killTests();
    for (const workspace of workspaces) workspace.remove();
  };
  process.once('exit', removeAll);
  try {
    return await runIn(workspaces, mutants, options);
  } finally {
    process.off('exit', removeAll);
    removeAll();
  }
}

async function runIn(workspaces: readonly Workspace[], mutants: readonly PlacedMutant[], options: Options) {
  const until = performance.now() + options.limitMs;
  const results = new Map<string, Result>();
  const finish = (mutant: PlacedMutant, result: Result, ms = 0) => {
    results.set(mutant.id, result);
    options.report(mutant, result, ms / 1000);
  };

  // The groups are tried from the end of the list, so the largest group comes first. This matters because a time limit
  // may end the run early.
  const groups = [...Map.groupBy(mutants, testsOf).values()].sort((a, b) => a.length - b.length);
  const ready: { readonly mutant: PlacedMutant; readonly without: Baseline }[] = [];
  const running = new Set<Promise<void>>();
  const isEarly = () => Number.isFinite(options.limitMs) && performance.now() < until - options.limitMs / 2;

  async function prepare(workspace: Workspace, group: readonly PlacedMutant[]): Promise<void> {
    const without = await withoutFault(workspace, group, options);
    ready.push(...group.map((mutant) => ({ mutant, without })));
    ready.sort((a, b) => b.without.ms - a.without.ms);
  }
  async function tryOut(workspace: Workspace, mutant: PlacedMutant, without: Baseline): Promise<void> {
    const failure = failureOf(without.outcome);
    if (failure !== undefined) return finish(mutant, { kind: 'tests fail', by: failure });
    workspace.apply(mutant);
    const timeoutMs = Math.max(options.patienceMs, without.ms * SLOWER);
    const { outcome, ms } = await timed(workspace, mutant, patternsOf([mutant]), options, timeoutMs);
    finish(mutant, resultOf(outcome), ms);
  }
  async function work(workspace: Workspace): Promise<void> {
    while (performance.now() < until) {
      // With a time limit, the first half of the time is spent on running tests without a fault. After that, the
      // mutants with the fastest tests come first.
      const group = ready.length === 0 || isEarly() ? groups.pop() : undefined;
      const fastest = group ? undefined : ready.pop();
      if (group) {
        const preparing = prepare(workspace, group);
        running.add(preparing);
        await preparing.finally(() => running.delete(preparing));
      } else if (fastest) await tryOut(workspace, fastest.mutant, fastest.without);
      else if (running.size > 0) await Promise.race(running);
      else return;
    }
  }
  await Promise.all(workspaces.map(work));
  for (const mutant of mutants)
    if (!results.has(mutant.id)) finish(mutant, { kind: 'left out', because: 'the time is over' });
  return results;
}

/**
 * Returns a key for the test files and services of a mutant. Mutants with the same key share one run without a fault.
 */
const testsOf = ({ tests, needs }: Mutant): string => JSON.stringify([tests, needs]);

/** Returns the patterns that select the tests of these mutants. An empty list means all tests. */
const patternsOf = (mutants: readonly Mutant[]): string[] =>
  mutants.some(({ pattern }) => pattern === undefined) ? [] : mutants.map(({ pattern }) => pattern ?? '');

/** Runs all tests of a group of mutants without a fault. */
async function withoutFault(workspace: Workspace, group: readonly Mutant[], options: Options): Promise<Baseline> {
  const [first] = group;
  if (!first) throw new Error('a group has no mutants');
  const { outcome, ms } = await timed(workspace, first, patternsOf(group), options, BASELINE_MS);
  return { outcome, ms };
}

async function timed(
  workspace: Workspace,
  { tests, needs }: Mutant,
  patterns: readonly string[],
  options: Options,
  timeoutMs: number,
): Promise<Baseline> {
  const start = performance.now();
  const env = options.environment(needs ?? []);
  const outcome = await runTests({
    root: workspace.root,
    tests,
    patterns: [...new Set(patterns)],
    env: { ...env, TMPDIR: workspace.temporary, NODE_COMPILE_CACHE: workspace.compiled },
    timeoutMs,
    afterwards: options.afterwards,
  });
  workspace.reset();
  return { outcome, ms: performance.now() - start };
}

function failureOf(outcome: Outcome): string | undefined {
  if (outcome.kind === 'failed') return outcome.by;
  return outcome.kind === 'hung' ? `${outcome.in} does not end` : undefined;
}

function resultOf(outcome: Outcome): Result {
  if (outcome.kind === 'failed') return { kind: 'killed', by: outcome.by };
  if (outcome.kind === 'hung') return { kind: 'hung' };
  return outcome.count === 0 ? { kind: 'tests fail', by: 'its pattern selects no test' } : { kind: 'survived' };
}
