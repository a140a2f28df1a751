// Reads sizes, durations and previews of media in a child process, which starts on demand. It examines one file at a
// time. A failure in the child reaches the caller as a reason, never as an exception.
import { type ChildProcess, fork } from 'node:child_process';
import type { Timers } from '@sealpost/contract/ports';

export interface Job {
  readonly bytes: Buffer;
  /** The longest side of each scaled picture to make, in pixels. Pictures are never enlarged. */
  readonly edges: readonly number[];
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly format: string;
  /** The scaled pictures as JPEG without metadata, in the order of `edges`. */
  readonly scaled: readonly Buffer[];
}

export type Examination =
  | {
      readonly ok: true;
      readonly picture?: Picture;
      readonly durationMillis?: number;
      /** The cover picture inside an audio or video file, scaled to the edges. */
      readonly cover?: readonly Buffer[];
    }
  | { readonly ok: false; readonly reason: string };

export interface Examiner {
  /** Returns what the file is. Never rejects: for an unreadable file it resolves with the reason. */
  examine(job: Job): Promise<Examination>;
  close(): void;
}

/**
 * Idle time after which the child process ends. An idle process would keep the tens of megabytes of the last decoded
 * picture.
 */
const IDLE_MS = 10_000;
const JOB_MS = 5_000;
const WAITING = 100;
const PROGRAM = new URL('./media-process.ts', import.meta.url);

export function createExaminer(timers: Timers): Examiner {
  let child: ChildProcess | undefined;
  let idle = timers.after(0, () => {});
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  function stop(): void {
    // Errors of a process that is being killed are ignored.
    child?.on('error', () => {});
    child?.kill('SIGKILL');
    child = undefined;
  }

  function run(job: Job): Promise<Examination> {
    idle.cancel();
    child ??= fork(PROGRAM, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: {} });
    const worker = child;
    // The child must not keep the server process alive when the server stops.
    worker.unref();
    worker.channel?.unref();
    return new Promise((resolve) => {
      const settle = (result: Examination): void => {
        limit.cancel();
        for (const [name, listener] of Object.entries(listeners)) worker.removeListener(name, listener);
        idle = timers.after(IDLE_MS, stop);
        resolve(result);
      };
      const fail = (reason: string) => (): void => {
        if (child === worker) stop();
        settle({ ok: false, reason });
      };
      const listeners = { message: settle, error: fail('the process failed'), exit: fail('the process ended') };
      for (const [name, listener] of Object.entries(listeners)) worker.on(name, listener);
      const limit = timers.after(JOB_MS, fail(`it took longer than ${JOB_MS} ms`));
      worker.send(job, (error) => {
        if (error) fail('the process cannot be reached')();
      });
    });
  }

  return {
    examine(job) {
      if (waiting >= WAITING) return Promise.resolve({ ok: false, reason: 'too many files wait' });
      waiting += 1;
      const result = last.then(() => run(job));
      last = result.finally(() => {
        waiting -= 1;
      });
      return result;
    },
    close: stop,
  };
}
