// The command line: parses, runs one command, and turns every failure into a message and an exit code.
import { GatewayError, KeyStoreError, KeyTrustError } from '@sealpost/sdk';
import { Command, CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { addAccountCommands } from './commands/account.ts';
import { addAuditCommands } from './commands/audit.ts';
import { addChatCommands } from './commands/chats.ts';
import { addConformanceCommand } from './commands/conformance.ts';
import { addContactCommands } from './commands/contacts.ts';
import { addDevicesCommands } from './commands/devices.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addDownloadCommand } from './commands/download.ts';
import { addGroupCommands } from './commands/group.ts';
import { addKeysCommands } from './commands/keys.ts';
import { addListenCommand } from './commands/listen.ts';
import { addLoginCommands } from './commands/login.ts';
import { addMediaCommands } from './commands/media.ts';
import { addNoticeCommands } from './commands/notice.ts';
import { addProfileCommands } from './commands/profile.ts';
import { addReportCommands } from './commands/report.ts';
import { addSendCommand } from './commands/send.ts';
import { addServerCommands } from './commands/server.ts';
import { addSignCommand } from './commands/sign.ts';
import { addStickersCommands } from './commands/stickers.ts';
import { addVerifyContactCommand } from './commands/verify-contact.ts';
import { type ExitCode, exitCodeOf, exitCodes } from './exit-codes.ts';
import { adviceOnKeys } from './key-files.ts';
import { alarmText } from './key-news.ts';

/** Runs one command line and answers the exit code. */
export async function run(args: readonly string[]): Promise<ExitCode> {
  process.stdout.on('error', leaveWhenNobodyReads);
  try {
    await createProgram().parseAsync(args, { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    // Commander has printed its own message, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    process.stderr.write(args.includes('--json') ? `${errorJson(error)}\n` : `sealpost: ${messageOf(error)}\n`);
    if (process.env.DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
    return exitCodeOf(error);
  }
}

function createProgram(): Command {
  const program = new Command('sealpost')
    .description('Run a Sealpost server, manage its accounts, send and listen.')
    .version(packageJson.version)
    .exitOverride()
    // `doctor message 5 --json`: options belong to the command that they follow.
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
  addAccountCommands(program);
  addLoginCommands(program);
  addDevicesCommands(program);
  addSendCommand(program);
  addDownloadCommand(program);
  addListenCommand(program);
  addChatCommands(program);
  addGroupCommands(program);
  addContactCommands(program);
  addVerifyContactCommand(program);
  addKeysCommands(program);
  addProfileCommands(program);
  addStickersCommands(program);
  addMediaCommands(program);
  addNoticeCommands(program);
  addReportCommands(program);
  addSignCommand(program);
  addAuditCommands(program);
  addDoctorCommand(program);
  addConformanceCommand(program);
  return program;
}

function messageOf(error: unknown): string {
  if (error instanceof KeyStoreError) return `${error.message}. ${adviceOnKeys[error.kind]}`;
  if (error instanceof KeyTrustError) return alarmText(error);
  return error instanceof Error ? error.message : String(error);
}

function errorJson(error: unknown): string {
  const details =
    error instanceof GatewayError
      ? { error: error.error, http: error.http, code: error.code, talkCode: error.talkCode, reason: error.reason }
      : {};
  return JSON.stringify({ message: messageOf(error), exitCode: exitCodeOf(error), ...details });
}

/** `sealpost history bob | head` is no failure. */
function leaveWhenNobodyReads(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok);
  throw error;
}
