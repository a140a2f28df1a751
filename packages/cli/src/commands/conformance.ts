import { writeFileSync } from 'node:fs';
import type { Report, SignatureMode } from '@sealpost/conformance';
import { type Command, Option } from 'commander';
import { adminOf } from '../admin.ts';
import { buildTokenFromEnvironment } from '../environment.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { table } from '../table.ts';

const signatureModes = ['strict', 'lenient', 'off'] as const satisfies readonly SignatureMode[];
const reportForms = ['text', 'junit'] as const;

interface ConformanceOptions {
  readonly url?: string;
  readonly dataDir?: string;
  readonly adminToken?: string;
  readonly buildToken?: string;
  readonly brand: string;
  readonly signature: SignatureMode;
  readonly only: readonly string[];
  readonly report: (typeof reportForms)[number];
  readonly output?: string;
  readonly list?: boolean;
  readonly json?: boolean;
}

export function addConformanceCommand(program: Command): void {
  program
    .command('conformance')
    .description('check a running server against the whole contract, from outside')
    .option('--url <url>', 'address of the gateway (or SEALPOST_URL; default the server of the data folder)')
    .option('--data-dir <folder>', 'data folder of a server on this machine (or SEALPOST_DATA_DIR; default ./data)')
    .option('--admin-token <token>', 'admin token (or SEALPOST_ADMIN_TOKEN, or the file in the data folder)')
    .option('--build-token <token>', 'build token to sign with (or SEALPOST_BUILD_TOKEN; default sealpost-dev)')
    .option('--brand <brand>', 'brand in header names', 'Svc')
    .addOption(
      new Option('--signature <mode>', 'how the server checks X-Hmac').choices(signatureModes).default('strict'),
    )
    .option('--only <names>', 'topics, endpoints or checks, separated by commas; may be repeated', collect, [])
    .addOption(new Option('--report <form>', 'form of the report').choices(reportForms).default('text'))
    .option('--output <file>', 'write the report to a file')
    .option('--list', 'print the checks and run none')
    .addOption(new Option('--json', 'print the report, or the list, as JSON').conflicts('report'))
    .addHelpText(
      'after',
      `
The run creates accounts with random user ids through the admin API and deletes them at its end. Its notices are in a
language that nobody has, and it resolves the reports that it files. It may run against a server that is in use. Exit code 1 if a check failed.

Examples:
  $ sealpost conformance
  $ sealpost conformance --only sync,sendMessage
  $ sealpost conformance --url https://chat.example.org --report junit --output conformance.xml`,
    )
    .action(conformance);
}

const collect = (names: string, all: readonly string[]): string[] => [...all, ...names.split(',').filter(Boolean)];

/** Loads the conformance kit only for this command, so that other commands start faster. */
const loadKit = () => import('@sealpost/conformance');

async function conformance(options: ConformanceOptions): Promise<void> {
  const { runChecks } = await loadKit();
  const checks = await selected(options.only);
  if (options.list) {
    if (options.json) {
      const listed = checks.map(({ run: _run, ...check }) => check);
      return give(`${JSON.stringify({ checks: listed })}\n`, options);
    }
    const rows = checks.map(({ id, topic, heading, expects }) => [id, topic, heading, expects]);
    return give(`${table(['CHECK', 'TOPIC', 'SPECIFICATION', 'EXPECTS'], rows)}\n`, options);
  }
  const admin = await adminOf(options);
  const buildToken = options.buildToken ?? buildTokenFromEnvironment() ?? 'sealpost-dev';
  // This call fails if no server answers or the token is wrong, because every check would then fail in the same way.
  await admin.listAccounts({ limit: 1 });
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  const report = await runChecks({
    target: { url: admin.url, buildToken, brand: options.brand, signature: options.signature },
    admin,
    checks,
    signal: interrupted.signal,
  });
  await write(report, options);
  if (interrupted.signal.aborted) throw new CliError('Interrupted; the accounts of the run are deleted.');
  const failed = report.outcomes.filter(({ failure }) => failure).length;
  if (failed > 0) throw new CliError(`${failed} of ${report.outcomes.length} checks failed.`);
}

async function selected(only: readonly string[]) {
  const { selectChecks, UnknownSelection } = await loadKit();
  try {
    return selectChecks(only);
  } catch (error) {
    if (error instanceof UnknownSelection) throw new CliError(error.message, exitCodes.usage);
    throw error;
  }
}

async function write(report: Report, options: ConformanceOptions): Promise<void> {
  const { jsonReport, junitReport, textReport } = await loadKit();
  const { brand, signature } = options;
  const differing = [
    brand === 'Svc' ? [] : ['--brand', brand],
    signature === 'strict' ? [] : ['--signature', signature],
  ];
  const command = ['sealpost conformance --url', report.target.url, ...differing.flat(), '--only'].join(' ');
  const repeat = (id: string): string => `${command} ${id}`;
  if (options.json) return give(`${JSON.stringify(jsonReport(report, repeat))}\n`, options);
  const reports = { text: textReport, junit: junitReport };
  give(reports[options.report](report, repeat), options);
}

function give(text: string, { output }: Pick<ConformanceOptions, 'output'>): void {
  if (output === undefined) process.stdout.write(text);
  else writeFileSync(output, text);
}
