// Runs many seeds of the simulator in several processes.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { SeedReport } from './run-seed.ts';

export interface Seeds {
  readonly from: number;
  readonly to: number;
  /** Number of processes. */
  readonly workers: number;
  readonly onReport: (report: SeedReport) => void;
}

/**
 * Number of seeds after which a process is replaced. Crashed gateways and clients wait forever, so a process keeps some
 * memory of each.
 */
const SEEDS_OF_A_PROCESS = 100;

const program = fileURLToPath(new URL('./seed-worker.ts', import.meta.url));

/** Runs the seeds, each as soon as a process is free. @throws Error if a process ends early */
export async function runSeeds({ from, to, workers, onReport }: Seeds): Promise<void> {
  let next = from;
  const children = new Set<ChildProcess>();
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = fork(program, { serialization: 'advanced' });
      children.add(child);
      let left = SEEDS_OF_A_PROCESS;
      child.on('message', (message: SeedReport | 'ready') => {
        if (message !== 'ready') onReport(message);
        if (next <= to && left-- > 0) child.send(next++);
        else child.disconnect();
      });
      child.on('error', reject);
      child.on('exit', (code) => {
        children.delete(child);
        if (code === 0) resolve();
        else reject(new Error(`a process ended with code ${code}`));
      });
    });
  const successive = async (): Promise<void> => {
    while (next <= to) await one();
  };
  try {
    await Promise.all(Array.from({ length: Math.min(workers, to - from + 1) }, successive));
  } finally {
    for (const child of children) child.kill();
  }
}
