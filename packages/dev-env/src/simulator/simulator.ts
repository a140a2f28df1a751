// The simulator: runs seeds, and sums up what they reached.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Image, makeImage } from './image.ts';
import { type RunOptions, runSeed, type SeedReport } from './run-seed.ts';
import { computeAtOnce } from './sync-crypto.ts';

export interface Simulator {
  run(seed: number, options?: RunOptions): Promise<SeedReport>;
  close(): void;
}

/** Returns a folder in memory if there is one. Commits on a disk would take most of the time of a simulation. */
const memory = (): string => (existsSync(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir());
const SHARED_MEMORY = '/dev/shm';

/** Creates a simulator. From then on, this process computes signatures of requests without other threads. */
export async function createSimulator(): Promise<Simulator> {
  computeAtOnce();
  const folder = mkdtempSync(join(memory(), 'sealpost-simulator-'));
  const image: Image = await makeImage(folder);
  // The first simulation also loads modules, which takes a time that depends on the machine.
  await runSeed(0, image);
  return {
    run: (seed, options) => runSeed(seed, image, options),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Describes what a seed broke, with the way to see it again. */
export const failureOf = ({ seed, violations, last }: SeedReport): string =>
  `SEED ${seed} broke:\n${violations.join('\n')}\n\nThe last steps:\n${last}\n\nReplay: SEED=${seed} npm run sim`;
