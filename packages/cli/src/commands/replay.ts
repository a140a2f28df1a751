import { readFileSync } from 'node:fs';
import { systemPorts } from '@sealpost/sdk';
import type { AgainstReport, ComparedCall, SessionFile } from '@sealpost/testing/record';
import type { Command } from 'commander';
import { buildTokenFromEnvironment, checkedUrl } from '../environment.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { readFault } from '../file-faults.ts';
import { createOutput, type Output, oneLine, styled } from '../output.ts';
import { askPassword, givenPassword, type PasswordOptions } from '../password.ts';
import { portOf, untilStopped } from './record.ts';

interface ReplayOptions extends PasswordOptions {
  readonly port: number;
  readonly host: string;
  readonly against?: string;
  readonly user?: string;
  readonly buildToken?: string;
  readonly brand?: string;
  readonly json?: boolean;
}

const DEFAULT_PORT = 8789;

export function addReplayCommand(program: Command): void {
  program
    .command('replay')
    .description('serve a recorded session as a gateway, or compare it with a server')
    .argument('<file>', 'file of sealpost record')
    .option('--port <port>', 'port for the client; 0 for a free one', portOf, DEFAULT_PORT)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--against <url>', 'send the recorded calls to this server instead, and show what it answers otherwise')
    .option('--user <userid>', 'account that makes the calls, with --against')
    .option('--password <password>', 'its password (or SEALPOST_PASSWORD)')
    .option('--password-stdin', 'read its password from standard input')
    .option('--build-token <token>', 'secret of request signatures (or SEALPOST_BUILD_TOKEN; default sealpost-dev)')
    .option('--brand <brand>', 'brand inside header names, with --against; default that of the session')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Calls are matched by method and arguments, in the recorded order. A call that was not recorded is answered with 404,
and the command then ends with exit code 1. So does --against if an answer differs. docs/recording.md has the rules.`,
    )
    .action(replay);
}

async function replay(file: string, options: ReplayOptions): Promise<void> {
  const session = await loadSession(file);
  if (options.against === undefined) await serve(session, options);
  else await compare(session, options.against, options);
}

async function loadSession(file: string): Promise<SessionFile> {
  const { readSession, UnreadableSession } = await import('@sealpost/testing/record');
  try {
    return readSession(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof UnreadableSession || (error instanceof Error && 'code' in error)) throw readFault(file, error);
    throw error;
  }
}

async function serve(session: SessionFile, options: ReplayOptions): Promise<void> {
  const { startReplay } = await import('@sealpost/testing/record');
  const output = createOutput(options);
  const served = await startReplay(session, {
    ...{ port: options.port, host: options.host, ports: systemPorts },
    onServed({ id, endpoint, verb, path }) {
      const name = endpoint ?? `${verb} ${path}`;
      if (output.json) output.print('', { id, name, recorded: true });
      else output.note(`#${id}  ${oneLine(name)}`);
    },
    onNotRecorded({ name }, text) {
      if (output.json) output.print('', { name, recorded: false, text });
      else output.note(styled('red', `NOT RECORDED: ${oneLine(text)}`, process.stderr));
    },
  });
  output.note(`Serving ${session.exchanges.length} exchanges of ${session.target} at ${served.url}. Ctrl-C stops.`);
  await untilStopped();
  await served.close();
  const missing = served.notRecorded.length;
  if (served.left.length > 0) output.note(`${served.left.length} recorded exchanges were not asked for.`);
  if (missing > 0) throw new CliError(`${missing === 1 ? 'A call was' : `${missing} calls were`} not recorded.`);
}

async function compare(session: SessionFile, against: string, options: ReplayOptions): Promise<void> {
  const { replayAgainst } = await import('@sealpost/testing/record');
  if (options.user === undefined)
    throw new CliError('--against needs --user, the account that makes the calls.', exitCodes.usage);
  const output = createOutput(options);
  const buildToken = options.buildToken ?? buildTokenFromEnvironment();
  const shownCall = await callLines();
  const report = await replayAgainst(session, {
    url: checkedUrl(against),
    userid: options.user,
    password: (await givenPassword(options)) ?? (await askPassword(`Password of ${options.user}: `)),
    ...(buildToken !== undefined && { buildToken }),
    ...(options.brand !== undefined && { brand: options.brand }),
    onCompared: (call) => {
      if (!output.json && call.differences.length > 0) output.print(shownCall(call), undefined);
    },
  });
  if (output.json) output.print('', report);
  tellReport(output, report);
  const differing = differingIn(report).length;
  if (differing > 0)
    throw new CliError(`${differing} of ${report.calls.length} answers differ from the recorded ones.`);
}

const differingIn = ({ calls }: AgainstReport): readonly ComparedCall[] =>
  calls.filter(({ differences }) => differences.length > 0);

/** Returns the function that shows a call whose answer differs. */
async function callLines(): Promise<(call: ComparedCall) => string> {
  const { shortJson } = await import('@sealpost/testing/record');
  return ({ id, name, differences, unknownIds }) =>
    [
      styled('bold', `#${id}  ${oneLine(name)}`),
      ...differences.map(
        ({ place, recorded, now }) => `    ${oneLine(place)}: recorded ${shortJson(recorded)}, now ${shortJson(now)}`,
      ),
      ...(unknownIds.length === 0
        ? []
        : [`    Sent with ids that only the recorded gateway knows: ${unknownIds.join(', ')}`]),
    ].join('\n');
}

function tellReport(output: Output, report: AgainstReport): void {
  const alike = report.calls.length - differingIn(report).length;
  output.note(`${report.calls.length} calls sent, ${alike} answers alike.`);
  const reasons = Map.groupBy(report.skipped, ({ reason }) => reason);
  for (const [reason, calls] of reasons) {
    const names = [...new Set(calls.map(({ name }) => name))].join(', ');
    output.note(`${calls.length} not sent, because ${reason}: ${oneLine(names)}`);
  }
}
