// Plays scenarios with a client, and grades what the client does. Each scenario gets a separate server, folder and
// process.
import { systemPorts } from '@sealpost/sdk';
import { startTestServer } from '../start-test-server.ts';
import type { TestServer, TestServerOptions } from '../test-server.ts';
import type { ClientUnderTest } from './client.ts';
import { CommandNotStarted } from './command-client.ts';
import type { Scenario } from './scenario.ts';
import { scenarios as allScenarios } from './scenarios.ts';
import { CLIENT, PEOPLE, Stage } from './stage.ts';
import { Deviation, NotReached } from './verdict.ts';

/** The result of a scenario. `not reached` does not count as a pass. */
export type Grade =
  | { readonly kind: 'pass' }
  | { readonly kind: 'fail'; readonly expected: string; readonly seen: string }
  | { readonly kind: 'not reached'; readonly reach: string; readonly instead: string };

export interface GradedScenario {
  readonly scenario: Scenario;
  readonly grade: Grade;
  readonly milliseconds: number;
  /** The last lines that the client wrote; empty after a pass. */
  readonly output: string;
}

export interface GradeReport {
  /** The name of the client in the report, such as its command. */
  readonly client: string;
  readonly graded: readonly GradedScenario[];
  readonly milliseconds: number;
}

export interface GradeOptions {
  readonly client: ClientUnderTest;
  /** The name of the client in the report. */
  readonly name: string;
  /** Starts the servers; `startTestServer` if not given. */
  readonly startServer?: (options: TestServerOptions) => Promise<TestServer>;
  /** The scenarios to play; all if not given. */
  readonly scenarios?: readonly Scenario[];
  /** Maximum number of scenarios that are played at the same time; 3 if not given. */
  readonly parallel?: number;
  /** Milliseconds that the run waits for each step that the client should do; 10,000 if not given. */
  readonly patienceMs?: number;
  /** Called when a scenario ends. */
  readonly onGraded?: (graded: GradedScenario) => void;
  /** A signal that ends the run early; the report contains the scenarios that were graded until then. */
  readonly signal?: AbortSignal;
}

const PARALLEL = 3;
const PATIENCE_MS = 10_000;

export async function gradeClient(options: GradeOptions): Promise<GradeReport> {
  const { scenarios = allScenarios, parallel = PARALLEL, signal } = options;
  const { clock } = systemPorts;
  const started = clock.monotonic();
  const graded = new Map<Scenario, GradedScenario>();
  const rest = [...scenarios];
  const failure = new AbortController();
  const worker = async (): Promise<void> => {
    for (let next = rest.shift(); next && !signal?.aborted && !failure.signal.aborted; next = rest.shift()) {
      const one = await gradeOne(next, options);
      graded.set(next, one);
      options.onGraded?.(one);
    }
  };
  const workers = Array.from({ length: parallel }, () =>
    worker().catch((error: unknown) => {
      failure.abort();
      throw error;
    }),
  );
  for (const outcome of await Promise.allSettled(workers)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
  return {
    client: options.name,
    graded: scenarios.flatMap((scenario) => graded.get(scenario) ?? []),
    milliseconds: Math.round(clock.monotonic() - started),
  };
}

async function gradeOne(scenario: Scenario, options: GradeOptions): Promise<GradedScenario> {
  const { clock } = systemPorts;
  const started = clock.monotonic();
  const startServer = options.startServer ?? startTestServer;
  const server = await startServer({
    // The client uses real time, so the server must too. With different times, tokens would expire at the wrong moment.
    clock: 'real',
    accounts: [CLIENT, ...PEOPLE],
    ...(scenario.settings && { settings: scenario.settings }),
  });
  try {
    const stage = await Stage.open({ server, client: options.client, patienceMs: options.patienceMs ?? PATIENCE_MS });
    try {
      const grade = await gradeOf(scenario, stage);
      const milliseconds = Math.round(clock.monotonic() - started);
      return { scenario, grade, milliseconds, output: grade.kind === 'pass' ? '' : stage.output };
    } finally {
      await stage.close();
    }
  } finally {
    await server.close();
  }
}

async function gradeOf(scenario: Scenario, stage: Stage): Promise<Grade> {
  try {
    await scenario.play(stage);
    return { kind: 'pass' };
  } catch (error) {
    if (error instanceof Deviation) return { kind: 'fail', expected: error.expected, seen: error.seen };
    if (error instanceof NotReached) return { kind: 'not reached', reach: error.reach, instead: error.instead };
    if (error instanceof CommandNotStarted) throw error;
    // Any other error is not about the client: the run itself is broken, so the scenario gets no grade.
    throw new Error(`The scenario ${scenario.id} could not be played: ${messageOf(error)}`, { cause: error });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
