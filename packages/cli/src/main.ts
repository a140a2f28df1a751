// Runs a command line: parses it, runs one command, and turns every failure into a message and an exit code.
import { CommanderError } from 'commander';
import { CliError, type ExitCode, exitCodes } from './exit-codes.ts';
import { createProgram } from './program.ts';

/** Runs one command line and returns the exit code. */
export async function run(args: readonly string[]): Promise<ExitCode> {
  const json = args.includes('--json');
  let unwritten = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Each further line of the output fails as well. One message is enough.
    if (!unwritten) void leaveWithoutOutput(error, json);
    unwritten = true;
  });
  try {
    const program = createProgram(json);
    // A server runs for a long time, so the modules of client commands are not loaded for it. They would stay in
    // memory.
    if (!program.commands.some((command) => command.name() === args[0])) {
      const { addClientCommands } = await import('./client-commands.ts');
      addClientCommands(program);
    }
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    // Commander has already printed the requested help. Without --json, it has also printed its own error message.
    if (error instanceof CommanderError && (error.exitCode === 0 || !json))
      return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    const { exitCodeOf, failureText } = await import('./failures.ts');
    process.stderr.write(`${failureText(error, json)}\n`);
    if (process.env.DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
    return exitCodeOf(error);
  }
}

/**
 * Exits because the output cannot be written. A reader who has closed its pipe is not an error, as `head` does in
 * `sealpost history bob | head`.
 */
async function leaveWithoutOutput(error: NodeJS.ErrnoException, json: boolean): Promise<void> {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok);
  const { failureText } = await import('./failures.ts');
  const { systemCause } = await import('./file-faults.ts');
  const fault = new CliError(`The output cannot be written: ${systemCause(error)}. Send it to another place.`);
  process.stderr.write(`${failureText(fault, json)}\n`);
  process.exit(fault.exitCode);
}
