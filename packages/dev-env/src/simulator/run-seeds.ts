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

const program = fileURLToPath(new URL('./seed-worker.ts', import.meta.url));

/** Runs the seeds, each as soon as a process is free. @throws Error if a process ends early */
export async function runSeeds({ from, to, workers, onReport }: Seeds): Promise<void> {
  let next = from;
  const work = (child: ChildProcess): Promise<void> =>
    new Promise((resolve, reject) => {
      child.on('message', (message: SeedReport | 'ready') => {
        if (message !== 'ready') onReport(message);
        if (next <= to) child.send(next++);
        else child.disconnect();
      });
      child.on('error', reject);
      child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a process ended with code ${code}`))));
    });
  const children = Array.from({ length: Math.min(workers, to - from + 1) }, () =>
    fork(program, { serialization: 'advanced' }),
  );
  try {
    await Promise.all(children.map(work));
  } finally {
    for (const child of children) child.kill();
  }
}
