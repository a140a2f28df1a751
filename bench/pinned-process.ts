// Starts child processes that exchange messages with this process. Each is pinned to one core if the system supports
// this.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

export const SERVER_CORE = 0;
export const LOAD_CORE = 1;

export interface SpawnOptions {
  /** The core of the process; undefined if it may use all. */
  readonly core: number | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeFlags?: readonly string[];
  readonly cwd?: string;
}

export function spawnPinned(file: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const command = [process.execPath, ...(options.nodeFlags ?? []), file, ...args];
  const { core } = options;
  const pinned = canPin && core !== undefined ? ['taskset', '-c', String(core), ...command] : command;
  return spawn(pinned[0] as string, pinned.slice(1), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
}

/** Returns the next message of a child process. Throws if the child ends before it sends one. */
export async function messageOf(child: ChildProcess): Promise<unknown> {
  const quit = new AbortController();
  try {
    return await Promise.race([
      once(child, 'message', { signal: quit.signal }).then(([message]) => message as unknown),
      once(child, 'exit', { signal: quit.signal }).then(([code, signal]) => {
        throw new Error(`${child.spawnargs.join(' ')} ended: ${code ?? signal}`);
      }),
    ]);
  } finally {
    quit.abort();
  }
}

export async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}
