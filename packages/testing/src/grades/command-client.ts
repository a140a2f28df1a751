// A client under test that is a program: any command, in any language.
import { spawn } from 'node:child_process';
import { systemPorts } from '@sealpost/sdk';
import type { ClientUnderTest, RunningClient } from './client.ts';

/** Maximum milliseconds for a program to end after SIGTERM. Then it is killed. */
const STOP_MS = 5_000;
const OUTPUT_LINES = 12;
const OUTPUT_LENGTH = 16_384;

/** The error for a command that cannot be run. */
export class CommandNotStarted extends Error {
  override readonly name = 'CommandNotStarted';
}

/** Returns the client that a command starts. The command gets the variables of `ClientEnvironment`. */
export const commandClient = (
  command: readonly string[],
  { cwd }: { readonly cwd?: string } = {},
): ClientUnderTest => ({
  start: (environment) => run(command, { ...process.env, ...environment }, cwd),
});

async function run(
  [file = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string | undefined,
): Promise<RunningClient> {
  // The command gets a separate process group, so that `kill` also ends the processes that the command started.
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true, ...(cwd && { cwd }) });
  let output = '';
  const keep = (text: string): void => {
    output = (output + text).slice(-OUTPUT_LENGTH);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', keep);
  const ended = new Promise<string>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) =>
      reject(new CommandNotStarted(`the command ${file} cannot be started: ${cause.message}`, { cause })),
    );
  });
  return {
    ended,
    output: () => output.trimEnd().split('\n').slice(-OUTPUT_LINES).join('\n'),
    async stop() {
      kill(child.pid, 'SIGTERM');
      const limit = systemPorts.timers.after(STOP_MS, () => kill(child.pid, 'SIGKILL'));
      await ended;
      limit.cancel();
      kill(child.pid, 'SIGKILL');
    },
  };
}

/** Ends the program and everything that it started; does nothing if it has ended. */
function kill(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
