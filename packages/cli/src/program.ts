// The tree of commands, with their arguments, options and help.
import { Command } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { addServerCommands } from './commands/server.ts';
import { examplesOf } from './examples.ts';

/**
 * Creates the program, with only those commands that run or manage the server.
 * @param json true if errors are printed as JSON, so that Commander must not print them
 */
export function createProgram(json: boolean): Command {
  const program = new Command('sealpost')
    .description('Run a Sealpost server, manage its accounts, send and listen.')
    .version(packageJson.version)
    .exitOverride()
    .configureOutput(json ? { writeErr: () => {} } : {})
    // An option belongs to the command before it. For example, in `doctor message 5 --json`, the option belongs to
    // `message`.
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
    )
    .addHelpText('afterAll', ({ command }) => examplesOf(command));
  addServerCommands(program);
  return program;
}
