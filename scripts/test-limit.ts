// Ends the process of a test file that is still running after all its tests must have ended. The runner limits the time
// of each test, but not that of the process. A timer or a socket that stays open would keep it forever.
import { isMainThread } from 'node:worker_threads';

/** The argument for Node that limits a process to this many milliseconds. Its children inherit it, but need not. */
export const limitOf = (ms: number): string => `--import=${new URL(`?ms=${ms}`, import.meta.url)}`;

const given = new URL(import.meta.url).searchParams.get('ms');
// The timer does not keep the process running: it fires only if something else does.
if (given !== null && isMainThread) setTimeout(end, Number(given)).unref();

function end(): void {
  const files = process.argv.slice(1).join(' ');
  const open = process.getActiveResourcesInfo().join(', ');
  console.error(`${files} still runs after ${given} ms. These resources are open: ${open}. The test must close them.`);
  process.exit(1);
}
