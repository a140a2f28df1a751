import { readFileSync } from 'node:fs';
import type { ExplainedCall } from '@sealpost/testing/explain';
import type { Command } from 'commander';
import { commaList } from '../comma-list.ts';
import { buildTokenFromEnvironment } from '../environment.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { readFault } from '../file-faults.ts';
import { createOutput, oneLine, styled } from '../output.ts';
import { readAllBytes } from '../password.ts';

interface ExplainOptions {
  readonly buildToken?: readonly string[];
  readonly brand?: string;
  readonly url?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

export function addExplainCommand(program: Command): void {
  program
    .command('explain')
    .description('explain calls that a client made: arguments, errors, signatures, and what to do')
    .argument('<file>', 'an HTTP archive (HAR), a curl command or a raw HTTP request; - reads standard input')
    .option(
      '--build-token <tokens>',
      'build tokens that the server accepts, separated by commas (or SEALPOST_BUILD_TOKEN; default sealpost-dev)',
      commaList,
    )
    .option('--brand <brand>', 'brand inside header names (or SEALPOST_HEADER_BRAND; default Svc)')
    .option('--url <url>', 'an address under which the client knows the server, to find what it signed by mistake')
    .option('--all', 'also explain calls of paths that no gateway serves')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Nothing is sent anywhere. docs/explaining.md has an example.`,
    )
    .action(explain);
}

async function explain(file: string, options: ExplainOptions): Promise<void> {
  const { explainCalls, readCalls, UnreadableCalls } = await import('@sealpost/testing/explain');
  const bytes = file === '-' ? await readAllBytes() : readFile(file);
  const brand = options.brand ?? process.env.SEALPOST_HEADER_BRAND;
  const buildTokens = options.buildToken ?? [buildTokenFromEnvironment() ?? 'sealpost-dev'];
  try {
    const explained = explainCalls(readCalls(bytes), {
      buildTokens,
      ...(brand !== undefined && { brand }),
      ...(options.url !== undefined && { urls: [options.url] }),
    });
    const shown = options.all ? explained : explained.filter(isOfGateway);
    const output = createOutput(options);
    const left = explained.length - shown.length;
    output.print(shown.map(callText).join('\n\n') || 'No call of a gateway.', shown);
    if (left > 0) output.note(`${left} other calls are left out; --all explains them too.`);
  } catch (error) {
    if (error instanceof UnreadableCalls)
      throw new CliError(`${file} cannot be read: ${error.message}.`, exitCodes.usage);
    throw error;
  }
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw readFault(path, error);
  }
}

/** Returns whether a call goes to a gateway. An archive from a browser also contains pages, scripts and pictures. */
const isOfGateway = ({ endpoint, path, signature }: ExplainedCall): boolean =>
  endpoint !== undefined || path.startsWith('/api/') || signature.state !== 'absent';

const LABEL_WIDTH = 12;
/** The indentation of a line, with its label in front. */
const labelled = (label: string, text: string): string => `  ${label.padEnd(LABEL_WIDTH)}${text}`;

function callText(call: ExplainedCall): string {
  const { verb, path, endpoint, summary, args, result, signature, hints } = call;
  const title = endpoint === undefined ? `${verb} ${oneLine(path)}` : endpoint;
  return [
    `${styled('bold', title)}  ${statusText(call)}`,
    ...(summary === undefined ? [] : [`  ${styled('dim', summary)}`]),
    ...(endpoint === undefined ? [] : [labelled('Path', `${verb} ${oneLine(path)}`)]),
    ...Object.entries(args ?? {}).map(([name, value], at) =>
      labelled(at === 0 ? 'Arguments' : '', `${oneLine(name)} = ${shownJson(value)}`),
    ),
    ...(result === undefined ? [] : [labelled('Result', shownJson(result))]),
    ...errorLines(call),
    ...signatureLines(signature),
    ...hints.map((hint, at) => labelled(at === 0 ? 'Next' : '', hint)),
  ].join('\n');
}

function statusText({ status, error }: ExplainedCall): string {
  if (status === undefined) return styled('dim', 'no answer in this file');
  if (status === 0) return styled('red', 'no answer');
  return error ? styled('red', `${status} ${error.name ?? 'error'}`) : styled('green', String(status));
}

function errorLines({ error }: ExplainedCall): string[] {
  if (!error) return [];
  return [
    labelled('Error', `${error.name ?? 'not in the error table'}, code ${error.code}: ${oneLine(error.message)}`),
    labelled('Means', error.meaning),
  ];
}

function signatureLines({
  state,
  ingredients,
  expected,
  given,
  cause,
  difference,
}: ExplainedCall['signature']): string[] {
  if (state === 'right') return [labelled('Signature', styled('green', 'right'))];
  const first = labelled('Signature', styled(state === 'wrong' ? 'red' : 'dim', state));
  if (state === 'absent') return [first];
  return [
    first,
    ...(cause === undefined ? [] : [labelled('', `Likely cause: ${oneLine(cause)}.`)]),
    ...(difference === undefined ? [] : [labelled('', `First difference: ${oneLine(difference)}.`)]),
    labelled('', `Given     ${oneLine(given ?? '')}`),
    labelled('', `Expected  ${expected ?? ''}`),
    ...ingredients.map(({ name, value }) => labelled('', `${styled('dim', name)}: ${oneLine(value)}`)),
  ];
}

const LONGEST = 300;

function shownJson(value: unknown): string {
  const text = oneLine(JSON.stringify(value) ?? '');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
