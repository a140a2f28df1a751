// Runs work that occupies a processor for tens of milliseconds: RSA and the hashing of passwords. The work runs in two
// threads of low priority, so that many logins cannot slow down messages. The threads start with the first work, and
// all servers of this process share them.
import { Worker } from 'node:worker_threads';
import type { SlowCrypto } from './ports.ts';
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

/** Runs a function in a worker thread once a thread is free, and returns its result. */
function slowly<N extends keyof SlowWorks>(
  name: N,
  ...args: Parameters<SlowWorks[N]>
): Promise<ReturnType<SlowWorks[N]>> {
  return new Promise((resolve, reject) => {
    waiting.push({ name, args, resolve, reject });
    pump();
  });
}

export const slowCrypto: SlowCrypto = {
  hashPassword: (...args) => slowly('hashPassword', ...args),
  verifyPassword: (...args) => slowly('verifyPassword', ...args),
  makeRsaPair: (...args) => slowly('makeRsaPair', ...args),
  decryptRsa: (...args) => slowly('decryptRsa', ...args),
};

function pump(): void {
  while (waiting.length > 0) {
    const worker = idle.pop() ?? (threads < SLOW_THREADS ? start() : undefined);
    if (!worker) return;
    const work = waiting.shift() as Work;
    busy.set(worker, work);
    // A busy thread keeps the process alive; an idle one does not.
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
