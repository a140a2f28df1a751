// Writes the lines of the log. The output may be a file on a full disk. That neither ends the process nor keeps it
// alive: the lines wait, and are written together with a later one.
import { write, writeSync } from 'node:fs';
import type { Timers } from '@sealpost/contract/ports';

export interface LogOutput {
  write(line: string): void;
}

/** Maximum characters of lines that wait. Later lines are dropped. */
const MOST_WAITING = 1024 * 1024;
/** Milliseconds until the next attempt while the reader of a pipe is slow. */
const SLOW_MS = 100;
/** Number of attempts at the end of the process, which waits for a slow reader only so long. */
const LAST_TRIES = 20;

const isSlow = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EAGAIN';

/** Opens a file descriptor for the log. Lines that still wait when the process exits are written then, if possible. */
export function openLogOutput(fd: number, timers: Pick<Timers, 'after'>): LogOutput {
  let waiting = '';
  /** The bytes of the running or last write that are not written yet. */
  let rest = Buffer.alloc(0);
  let state: 'idle' | 'writing' | 'pausing' = 'idle';

  function writeNext(): void {
    if (rest.length === 0) {
      rest = Buffer.from(waiting);
      waiting = '';
    }
    state = rest.length > 0 ? 'writing' : 'idle';
    if (state === 'idle') return;
    write(fd, rest, (error, written) => {
      state = 'idle';
      if (!error) {
        rest = rest.subarray(written);
        writeNext();
      } else if (isSlow(error)) {
        state = 'pausing';
        timers.after(SLOW_MS, writeNext);
      }
    });
  }

  process.once('exit', () => {
    let last = Buffer.concat([state === 'writing' ? Buffer.alloc(0) : rest, Buffer.from(waiting)]);
    for (let tries = 0; last.length > 0 && tries < LAST_TRIES; ) {
      try {
        last = last.subarray(writeSync(fd, last));
      } catch (error) {
        if (!isSlow(error)) return;
        tries += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLOW_MS);
      }
    }
  });

  return {
    write(line) {
      if (waiting.length + line.length <= MOST_WAITING) waiting += line;
      if (state === 'idle') writeNext();
    },
  };
}
