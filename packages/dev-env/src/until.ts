import { setTimeout as pause } from 'node:timers/promises';

/** After this long it will not come any more. Nothing is proved by how long it took. */
const PATIENCE_MS = 120_000;
const POLL_MS = 5;

/** Waits for a condition; fails when it does not come. */
export async function until(done: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; !(await done()); await pause(POLL_MS)) {
    if (performance.now() > deadline) throw new Error(`${what}: this did not happen`);
  }
}
