// Provides a folder in memory for the temporary files of a test run, so that commits need not wait for a disk. The
// tests find the same faults as on a disk, because they kill processes, and the memory outlives those.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of Linux's file system in memory, and the number by which Linux identifies file systems of this kind. */
const MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
/** The free space that a folder in memory must have. A run needs much less. */
const NEEDED_BYTES = 4 * 1024 ** 3;
const FOLDER_MODE = 0o755;

/**
 * Creates a folder in memory, and makes this process and its children put temporary files there. Does nothing if the
 * environment names a folder, or if the machine has too little space in memory.
 * @returns the function that removes the folder
 */
export function useMemoryFolder(): () => void {
  if (process.env.TMPDIR !== undefined || !hasSpace()) return () => {};
  const folder = mkdtempSync(join(MEMORY, 'sealpost-tests-'));
  // The system user of an embedded PostgreSQL must be able to reach its own folder inside this one.
  chmodSync(folder, FOLDER_MODE);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasSpace(): boolean {
  if (process.platform !== 'linux') return false;
  const found = statfsSync(MEMORY);
  return found.type === TMPFS && found.bavail * found.bsize >= NEEDED_BYTES;
}
