import type { Report, SignatureMode } from '@sealpost/conformance';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { adminOf } from '../admin.ts';
import { commaList } from '../comma-list.ts';
import { buildTokenFromEnvironment } from '../environment.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { reportTo } from '../report-file.ts';
import { table } from '../table.ts';
import { type ClientGradeOptions, conformanceOfClient, gradeForms } from './conformance-client.ts';

const signatureModes = ['strict', 'lenient', 'off'] as const satisfies readonly SignatureMode[];

interface ConformanceOptions extends ClientGradeOptions {
  readonly client?: boolean;
  readonly url?: string;
  readonly dataDir?: string;
  readonly adminToken?: string;
  readonly buildToken?: string;
  readonly brand: string;
  readonly signature: SignatureMode;
}

export function addConformanceCommand(program: Command): void {
  program
    .command('conformance')
    .description('check a running server against the whole contract, from outside; or grade a client')
    .argument('[command...]', 'with --client: the command that starts the client, behind two dashes')
    .option('--client', 'grade a client instead: a server of its own plays scenarios and watches what the client does')
    .option('--url <url>', 'address of the gateway (or SEALPOST_URL; default the server of the data folder)')
    .option('--data-dir <folder>', 'data folder of a server on this machine (or SEALPOST_DATA_DIR; default ./data)')
    .option('--admin-token <token>', 'admin token (or SEALPOST_ADMIN_TOKEN, or the file in the data folder)')
    .option('--build-token <token>', 'build token to sign with (or SEALPOST_BUILD_TOKEN; default sealpost-dev)')
    .option('--brand <brand>', 'brand in header names', 'Svc')
    .addOption(
      new Option('--signature <mode>', 'how the server checks X-Hmac').choices(signatureModes).default('strict'),
    )
    .option('--only <names>', 'topics, endpoints, checks or scenarios, separated by commas; may be repeated', commaList)
    .option('--patience <seconds>', 'with --client: how long the client may take for anything', seconds, 10)
    .option('--parallel <count>', 'with --client: how many scenarios are played at the same time', count, 3)
    .addOption(
      new Option('--report <form>', 'form of the report; html only with --client').choices(gradeForms).default('text'),
    )
    .option('--output <file>', 'write the report to a file')
    .option('--list', 'print the checks and run none')
    .addOption(new Option('--json', 'print the report, or the list, as JSON').conflicts('report'))
    .addHelpText(
      'after',
      `
The run creates accounts with random user ids through the admin API and deletes them at its end. Its notices are in a
language that nobody has, and it resolves the reports that it files. It may run against a server that is in use. Exit code 1 if a check failed.

With --client nothing else runs: the command starts servers of its own, and the client once or more for each scenario.
What the client must be able to do is in docs/client-grades.md. Exit code 1 if a scenario failed.`,
    )
    .action(conformance);
}

/** Reads a number that must be above 0. */
function above0(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}
const seconds = (text: string): number => above0(text);
const count = (text: string): number => Math.ceil(above0(text));

/** Loads the conformance kit only for this command, so that other commands start faster. */
const loadKit = () => import('@sealpost/conformance');

async function conformance(command: readonly string[], options: ConformanceOptions): Promise<void> {
  if (options.client) return conformanceOfClient(command, options);
  if (command.length > 0) {
    throw new CliError(`${command[0]} is not wanted here. To grade a client, add --client.`, exitCodes.usage);
  }
  if (options.report === 'html') {
    throw new CliError('The report of a server has no form html. It is for --client.', exitCodes.usage);
  }
  const { runChecks } = await loadKit();
  const checks = await selected(options.only);
  const give = reportTo(options.output);
  if (options.list) {
    if (isJson(options)) {
      const listed = checks.map(({ run: _run, ...check }) => check);
      return give(`${JSON.stringify({ checks: listed })}\n`);
    }
    const rows = checks.map(({ id, topic, heading, expects }) => [id, topic, heading, expects]);
    return give(`${table(['CHECK', 'TOPIC', 'SPECIFICATION', 'EXPECTS'], rows)}\n`);
  }
  const admin = await adminOf(options);
  const buildToken = options.buildToken ?? buildTokenFromEnvironment() ?? 'sealpost-dev';
  // Makes one call before the checks. If no server answers or the token is wrong, the command fails here, instead of
  // every check failing.
  await admin.listAccounts({ limit: 1 });
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  const report = await runChecks({
    target: { url: admin.url, buildToken, brand: options.brand, signature: options.signature },
    admin,
    checks,
    signal: interrupted.signal,
  });
  give(await textOf(report, options));
  if (interrupted.signal.aborted) throw new CliError('Interrupted; the accounts of the run are deleted.');
  const failed = report.outcomes.filter(({ failure }) => failure).length;
  if (failed > 0) throw new CliError(`${failed} of ${report.outcomes.length} checks failed.`);
}

const isJson = ({ json, report }: ConformanceOptions): boolean => json === true || report === 'json';

async function selected(only: readonly string[] = []) {
  const { selectChecks, UnknownSelection } = await loadKit();
  try {
    return selectChecks(only);
  } catch (error) {
    if (error instanceof UnknownSelection) throw new CliError(error.message, exitCodes.usage);
    throw error;
  }
}

async function textOf(report: Report, options: ConformanceOptions): Promise<string> {
  const { jsonReport, junitReport, textReport } = await loadKit();
  const { brand, signature } = options;
  const differing = [
    brand === 'Svc' ? [] : ['--brand', brand],
    signature === 'strict' ? [] : ['--signature', signature],
  ];
  const command = ['sealpost conformance --url', report.target.url, ...differing.flat(), '--only'].join(' ');
  const repeat = (id: string): string => `${command} ${id}`;
  if (isJson(options)) return `${JSON.stringify(jsonReport(report, repeat))}\n`;
  return (options.report === 'junit' ? junitReport : textReport)(report, repeat);
}
