// Runs one seed of the simulator, through all phases, and reports what happened.

import { checkAll } from './checks.ts';
import type { Image } from './image.ts';
import { Simulation, type SimulationOptions } from './simulation.ts';

export interface SeedReport {
  readonly seed: number;
  readonly digest: string;
  readonly steps: number;
  readonly commands: number;
  /** The commands and faults of the run by their names, with what each was. */
  readonly moves: ReadonlyMap<string, string>;
  readonly fired: ReadonlyMap<string, number>;
  readonly seen: ReadonlyMap<string, number>;
  /** The broken rules; empty if all rules hold. */
  readonly violations: readonly string[];
  /** The last lines of the history. */
  readonly last: string;
}

export interface RunOptions extends SimulationOptions {
  /** A check of a test, at the end. */
  readonly alsoCheck?: (simulation: Simulation) => void;
}

export async function runSeed(seed: number, image: Image, options: RunOptions = {}): Promise<SeedReport> {
  const simulation = new Simulation(seed, image, options);
  const { judge, faults, history } = simulation;
  const onRejection = (error: unknown): void =>
    judge.violated('no-fault', `unhandled: ${error instanceof Error ? error.stack : error}`);
  process.on('unhandledRejection', onRejection);
  try {
    await phases(simulation);
    options.alsoCheck?.(simulation);
  } catch (error) {
    judge.violated('run', error instanceof Error ? String(error.stack) : String(error));
  } finally {
    await simulation.close();
    process.off('unhandledRejection', onRejection);
  }
  return {
    ...{ seed, digest: history.digest(), steps: history.steps, commands: judge.committed },
    moves: simulation.moves.made,
    ...{ fired: faults.fired, seen: faults.seen, violations: judge.violations, last: history.last() },
  };
}

/** Load with faults, heal, quiet, restart of everything, and the checks. */
async function phases(simulation: Simulation): Promise<void> {
  await simulation.start();
  await simulation.load();
  simulation.faults.heal();
  simulation.note('healed');
  if (!(await simulation.until(() => simulation.isQuiet))) throw new Error('the healed system does not become quiet');
  simulation.losePower(false);
  for (const device of simulation.devices) simulation.crashDevice(device);
  if (!(await simulation.until(() => simulation.isQuiet)))
    throw new Error('the restarted system does not become quiet');
  await checkAll(simulation);
}
