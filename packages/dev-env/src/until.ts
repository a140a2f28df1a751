import { setTimeout as pause } from 'node:timers/promises';

/**
 * Milliseconds after which the test fails if the condition is still false. The limit may be long, because no test
 * asserts how long something takes.
 */
const PATIENCE_MS = 120_000;
const POLL_MS = 5;

/** Waits until a condition is true. Throws if it does not become true in time. */
export async function until(done: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; !(await done()); await pause(POLL_MS)) {
    if (performance.now() > deadline) throw new Error(`${what}: this did not happen`);
  }
}
