// The command line. It parses, runs one command, and turns every failure into a message and an exit code.
import { Command, CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { addServerCommands } from './commands/server.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';

/** Runs one command line and returns the exit code. */
export async function run(args: readonly string[]): Promise<ExitCode> {
  process.stdout.on('error', leaveWhenNobodyReads);
  const json = args.includes('--json');
  try {
    const program = createProgram(json);
    // A server does not load the other commands, because it runs for a long time and would keep them in memory.
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
 * Creates the program with only those commands that run or manage the server.
 * @param json whether errors of the command line are printed as JSON, so that Commander itself must print nothing
 */
function createProgram(json: boolean): Command {
  const program = new Command('sealpost')
    .description('Run a Sealpost server, manage its accounts, send and listen.')
    .version(packageJson.version)
    .exitOverride()
    .configureOutput(json ? { writeErr: () => {} } : {})
    // An option belongs to the command before it: in `doctor message 5 --json`, `--json` belongs to `message`.
    .enablePositionalOptions()
    .showHelpAfterError('(--help shows how to use it)')
    .addHelpText(
      'after',
      `
Start here:
  $ sealpost dev                          a server to try, with accounts alice, bob and carol
  $ sealpost listen --as bob              in a second terminal
  $ sealpost send bob "hello" --as alice  in a third one

Exit codes: 0 ok, 1 failure, 2 wrong usage, 3 not logged in, 4 server unreachable.`,
    );
  addServerCommands(program);
  return program;
}

/** Exits without an error when the reader of a pipe has closed it, as `head` does in `sealpost history bob | head`. */
function leaveWhenNobodyReads(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok);
  throw error;
}
