// The processes of a database pair. They run as the system user of PostgreSQL, and none outlives the test.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.ts';

/** Returns the user that the processes run as; undefined for the own one. PostgreSQL refuses to run as root. */
export function userOfPostgres(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts a program whose output goes to a file.
 * @param log the path of the file
 */
export function startProgram({ command, args, env }: Program, log: string): ChildProcess {
  const output = openSync(log, 'a');
  const child = spawn(command, args, {
    stdio: ['ignore', output, output],
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', ...env },
    ...userOfPostgres(),
  });
  child.once('error', (error) => console.error(`${command} did not start: ${error.message}`));
  closeSync(output);
  return child;
}

/** Returns the number of a process as a list; empty if it has ended. */
export const pidsOf = ({ pid, exitCode, signalCode }: ChildProcess): number[] =>
  pid !== undefined && exitCode === null && signalCode === null ? [pid] : [];

/** Returns the process of PostgreSQL in a data folder, then its children; empty if there is none. */
export function postgresIn(dataDir: string): number[] {
  const own = Number(read(join(dataDir, 'postmaster.pid')).split('\n')[0]);
  if (!own || !read(`/proc/${own}/cmdline`).includes(dataDir)) return [];
  return [own, ...read(`/proc/${own}/task/${own}/children`).split(' ').filter(Boolean).map(Number)];
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Sends a signal to processes; those that have ended meanwhile are passed over. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has ended.
    }
  }
}

/** Returns true while a process exists. A zombie does not count. */
function exists(pid: number): boolean {
  const state = read(`/proc/${pid}/stat`).split(') ')[1]?.[0];
  return state !== undefined && state !== 'Z';
}

/** Kills processes, and waits until none of them exists. */
export async function killAll(pids: readonly number[]): Promise<void> {
  signalAll(pids, 'SIGKILL');
  await until(() => !pids.some(exists), `the killed processes ${pids.join(', ')} end`);
}
