// Work that holds a processor for tens of milliseconds: passwords and RSA. It has two threads of its own, of low
// priority, so that a storm of logins takes what messages leave. They start with the first work and are shared by all
// that this process runs.
import { Worker } from 'node:worker_threads';
import type { SlowWorks } from './slow-crypto-worker.ts';

export type { RsaPair } from './slow-crypto-worker.ts';

export const SLOW_THREADS = 2;

interface Work {
  readonly name: keyof SlowWorks;
  readonly args: readonly unknown[];
  resolve(result: never): void;
  reject(error: unknown): void;
}

interface Answer {
  readonly result?: unknown;
  readonly error?: unknown;
}

const waiting: Work[] = [];
const idle: Worker[] = [];
const busy = new Map<Worker, Work>();
let threads = 0;

/** Runs one of the works of the threads, when its turn comes. */
export function slowly<N extends keyof SlowWorks>(
  name: N,
  ...args: Parameters<SlowWorks[N]>
): Promise<ReturnType<SlowWorks[N]>> {
  return new Promise((resolve, reject) => {
    waiting.push({ name, args, resolve, reject });
    pump();
  });
}

function pump(): void {
  while (waiting.length > 0) {
    const worker = idle.pop() ?? (threads < SLOW_THREADS ? start() : undefined);
    if (!worker) return;
    const work = waiting.shift() as Work;
    busy.set(worker, work);
    // Only a thread that works keeps the process alive.
    worker.ref();
    worker.postMessage({ name: work.name, args: work.args });
  }
}

function start(): Worker {
  threads += 1;
  const worker = new Worker(new URL('./slow-crypto-worker.ts', import.meta.url));
  worker.on('message', ({ result, error }: Answer) => {
    const work = busy.get(worker);
    busy.delete(worker);
    idle.push(worker);
    worker.unref();
    if (error === undefined) work?.resolve(result as never);
    else work?.reject(error);
    pump();
  });
  worker.on('error', (error) => lost(worker, error));
  return worker;
}

function lost(worker: Worker, error: unknown): void {
  threads -= 1;
  const work = busy.get(worker);
  busy.delete(worker);
  const at = idle.indexOf(worker);
  if (at >= 0) idle.splice(at, 1);
  work?.reject(error);
  pump();
}
