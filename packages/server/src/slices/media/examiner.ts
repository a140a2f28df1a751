// Reads sizes, durations and previews of media in a child process, which is started on demand. The process examines one
// file at a time. If it fails, the caller gets the reason as a result, never as an exception.
import { type ChildProcess, fork } from 'node:child_process';
import type { Timers } from '@sealpost/contract/ports';

export interface Job {
  readonly bytes: Buffer;
  /**
   * Lengths in pixels. For each length, a scaled picture is created whose longest side has this length. Pictures are
   * never enlarged.
   */
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
      /** The cover picture inside an audio or video file, scaled to each length in `edges`. */
      readonly cover?: readonly Buffer[];
    }
  | {
      readonly ok: false;
      readonly reason: string;
      /** Set if the file may be fine: too many files wait, or the process is slow. */
      readonly retry?: true;
    };

export interface Examiner {
  /**
   * Returns what was found out about the file. Never rejects: if the file cannot be read, the result contains the
   * reason.
   */
  examine(job: Job): Promise<Examination>;
  close(): void;
}

/**
 * Milliseconds without work after which the child process is ended. An idle process would still hold the memory of the
 * last decoded picture, tens of megabytes.
 */
const IDLE_MS = 10_000;
/** Milliseconds that the process may take to start. They do not count as time of the file that waits for it. */
const START_MS = 60_000;
const JOB_MS = 5_000;
const WAITING = 100;
const PROGRAM = new URL('./media-process.ts', import.meta.url);
/** The first message of the process. The process sends it once its decoders are loaded. */
const READY = 'ready';

/** @param program the program of the child process; tests pass another one */
export function createExaminer(timers: Timers, program: URL = PROGRAM): Examiner {
  let child: ChildProcess | undefined;
  let isReady = false;
  let idle = timers.after(0, () => {});
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  function stop(): void {
    // Errors of a process that is being killed are ignored.
    child?.on('error', () => {});
    child?.kill('SIGKILL');
    child = undefined;
    isReady = false;
  }

  function run(job: Job): Promise<Examination> {
    idle.cancel();
    child ??= fork(program, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: {} });
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
      const fail = (result: Omit<Examination & { ok: false }, 'ok'>) => (): void => {
        if (child === worker) stop();
        settle({ ok: false, ...result });
      };
      const slow = (ms: number) => timers.after(ms, fail({ reason: `it took longer than ${ms} ms`, retry: true }));
      const hear = (message: Examination | typeof READY): void => {
        if (message !== READY) {
          settle(message);
          return;
        }
        isReady = true;
        limit.cancel();
        limit = slow(JOB_MS);
      };
      const listeners = {
        message: hear,
        error: fail({ reason: 'the process failed' }),
        exit: fail({ reason: 'the process ended' }),
      };
      for (const [name, listener] of Object.entries(listeners)) worker.on(name, listener);
      let limit = slow(isReady ? JOB_MS : START_MS);
      worker.send(job, (error) => {
        if (error) fail({ reason: 'the process cannot be reached' })();
      });
    });
  }

  return {
    examine(job) {
      if (waiting >= WAITING) return Promise.resolve({ ok: false, reason: 'too many files wait', retry: true });
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
