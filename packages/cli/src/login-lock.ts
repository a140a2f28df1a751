// The lock that a command holds while it changes a stored login. Without it, two commands could renew one session at
// the same time, and the server would end it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { systemPorts } from '@sealpost/sdk';

/**
 * Maximum milliseconds to wait for the lock. A renewal takes less, even if the server hardly answers. Only a process
 * that was stopped holds the lock for longer, and others must not wait for it.
 */
const LONGEST_WAIT_MS = 45_000;
const POLL_MS = 25;
/** The code of SQLite for a lock that another process holds. */
const BUSY = 5;

/**
 * Runs a change while no other process holds the lock. If the lock does not become free in time, or the folder allows
 * no locks, runs the change without it.
 * @param path the lock file, which stays empty
 */
export async function whileLocked<T>(
  path: string,
  change: () => Promise<T>,
  longestWaitMs = LONGEST_WAIT_MS,
): Promise<T> {
  const lock = await lockOf(path, longestWaitMs);
  try {
    return await change();
  } finally {
    lock?.close();
  }
}

/**
 * Locks a file with SQLite, because Node has no file locks. The operating system releases the lock when the process
 * ends, so a killed process leaves none behind.
 */
async function lockOf(path: string, longestWaitMs: number): Promise<DatabaseSync | undefined> {
  const { DatabaseSync } = await import('node:sqlite');
  const { clock, timers } = systemPorts;
  for (const deadline = clock.monotonic() + longestWaitMs; ; ) {
    let file: DatabaseSync | undefined;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, '', { flag: 'a', mode: 0o600 });
      file = new DatabaseSync(path, { timeout: 0 });
      // The journal is in memory, so that SQLite creates no journal file next to the lock file.
      file.exec('pragma journal_mode = memory; begin exclusive');
      return file;
    } catch (error) {
      file?.close();
      if (!isBusy(error) || clock.monotonic() >= deadline) return undefined;
      await new Promise<void>((resolve) => timers.after(POLL_MS, resolve));
    }
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === BUSY;
