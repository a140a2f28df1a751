// The folder for the temporary files of a test run. In memory, a commit does not wait for a disk. What the tests find
// out stays the same: they kill processes, and the memory outlives those.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** The file system in memory of Linux, and the number by which the system names that kind. */
const MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
/** A run needs much less. */
const NEEDED_BYTES = 4 * 1024 ** 3;
const FOLDER_MODE = 0o755;

/**
 * Makes a folder in memory, and lets this process and its children put their temporary files there. Does nothing if the
 * environment names a folder, or if the machine has none in memory with enough space.
 * @returns the function that removes the folder
 */
export function useMemoryFolder(): () => void {
  if (process.env.TMPDIR !== undefined || !hasSpace()) return () => {};
  const folder = mkdtempSync(join(MEMORY, 'sealpost-tests-'));
  // The system user of an embedded PostgreSQL has its own folder inside.
  chmodSync(folder, FOLDER_MODE);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasSpace(): boolean {
  if (process.platform !== 'linux') return false;
  const found = statfsSync(MEMORY);
  return found.type === TMPFS && found.bavail * found.bsize >= NEEDED_BYTES;
}
