// What pictures, sounds and videos are, told by a process that is started when there is something to read. One file at a
// time, and no failure reaches the caller as more than a reason.
import { type ChildProcess, fork } from 'node:child_process';
import type { Timers } from '@sealpost/contract/ports';

export interface Job {
  readonly bytes: Buffer;
  /** The longest side of each smaller picture wanted, in pixels; none is made larger than it is. */
  readonly edges: readonly number[];
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly format: string;
  /** JPEG, without anything but the picture, in the order of the edges. */
  readonly scaled: readonly Buffer[];
}

export type Examination =
  | {
      readonly ok: true;
      readonly picture?: Picture;
      readonly durationMillis?: number;
      /** The picture that a sound or video carries for itself, scaled as pictures are. */
      readonly cover?: readonly Buffer[];
    }
  | { readonly ok: false; readonly reason: string };

export interface Examiner {
  /** Never fails: a file that cannot be read is answered as such. */
  examine(job: Job): Promise<Examination>;
  close(): void;
}

/** A decoded picture takes tens of megabytes, so the process may not live on idle. */
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
    // What it still says is of no use.
    child?.on('error', () => {});
    child?.kill('SIGKILL');
    child = undefined;
  }

  function run(job: Job): Promise<Examination> {
    idle.cancel();
    child ??= fork(PROGRAM, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: {} });
    const worker = child;
    // Nobody waits for it when the server stops.
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
