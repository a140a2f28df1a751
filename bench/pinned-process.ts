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
  /** A command that runs the program, such as strace. */
  readonly under?: readonly string[] | undefined;
}

export function spawnPinned(file: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const command = pinned([process.execPath, ...(options.nodeFlags ?? []), file, ...args], options);
  return spawn(command[0] as string, command.slice(1), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
}

/** Starts a program that is not one of this project. Its output is not shown. */
export function spawnForeign(command: readonly string[], options: Omit<SpawnOptions, 'nodeFlags'>): ChildProcess {
  const [file, ...args] = pinned(command, options);
  return spawn(file as string, args, {
    stdio: 'ignore',
    env: { ...process.env, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
}

function pinned(command: readonly string[], { core, under = [] }: SpawnOptions): readonly string[] {
  const whole = [...under, ...command];
  return canPin && core !== undefined ? ['taskset', '-c', String(core), ...whole] : whole;
}

/** Pins a running process with all its threads. Processes that it starts from now on are pinned too. */
export function pin(pid: number, core: number): void {
  if (canPin) spawnSync('taskset', ['-a', '-c', '-p', String(core), String(pid)]);
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

/** @param pid the process to signal, if another command runs it as its child */
export async function stop(child: ChildProcess, signal: NodeJS.Signals, pid = child.pid): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  if (pid !== undefined) process.kill(pid, signal);
  await gone;
}
