// Starts worker processes with node:cluster. The supervisor accepts connections and passes them to the workers in turn.
// A worker runs the same command as its supervisor.
import cluster from 'node:cluster';
import type { Timers } from '@sealpost/contract/ports';
import type { FromWorker, ToWorker } from './messages.ts';
import type { Child } from './supervisor.ts';
import type { SupervisorChannel } from './worker.ts';

/** Milliseconds to wait for the last messages of a worker that has ended. */
const LAST_MESSAGES_MS = 1_000;

/** Starts a worker. */
export function forkWorker(timers: Timers): Child {
  // Settings have values that JSON cannot express.
  cluster.setupPrimary({ serialization: 'advanced' });
  const worker = cluster.fork();
  // A message may arrive after the process has ended, so the end is reported when the channel has closed. If a process
  // is killed in the middle of a message, the channel may never report its end.
  const closed = new Promise<void>((resolve) => {
    worker.once('disconnect', resolve);
    worker.once('exit', () => timers.after(LAST_MESSAGES_MS, resolve));
  });
  const ended = new Promise<string>((resolve) =>
    worker.once('exit', (code: number | null, signal: string | null) => resolve(signal ?? `exit code ${code}`)),
  );
  worker.on('error', () => {});
  return {
    // A message to a worker that has just ended is dropped, because nobody can handle it.
    send: (message: ToWorker) => void (worker.isConnected() && worker.send(message, () => {})),
    onMessage: (listener) => void worker.on('message', (message: FromWorker) => listener(message)),
    onEnd: (listener) => void Promise.all([ended, closed]).then(([how]) => listener(how)),
    kill: () => void worker.process.kill('SIGKILL'),
  };
}

/** Returns the channel to the supervisor; undefined if this process is not a worker. */
export function channelToSupervisor(): SupervisorChannel | undefined {
  const { worker } = cluster;
  if (!worker) return undefined;
  return {
    isOpen: () => worker.isConnected(),
    send: (message) =>
      new Promise((resolve, reject) =>
        worker.send(message, (error: Error | null) => (error ? reject(error) : resolve())),
      ),
    onMessage: (listener) => void worker.on('message', (message: ToWorker) => listener(message)),
  };
}
