import type { Fault, FaultRule } from '@sealpost/contract/workbench';
import { type Command, Option } from 'commander';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { createOutput } from '../../output.ts';
import { table } from '../../table.ts';
import { atWorkbench, type WorkbenchOptions, wholeNumber, withWorkbenchOptions } from '../../workbench.ts';

interface FaultOptions extends WorkbenchOptions {
  readonly method?: string;
  readonly account?: string;
  readonly path?: string;
  readonly answer?: string;
  readonly status?: string;
  readonly body?: string;
  readonly delay?: string;
  readonly cut?: string;
  readonly drop?: 'request' | 'answer';
  readonly duplicate?: true;
  readonly rate?: string;
  readonly times?: string;
}

export function addFaultCommands(program: Command): void {
  const fault = program.command('fault').description("break calls of a developer's server on purpose");
  withWorkbenchOptions(fault.command('add'))
    .description('make something go wrong with fitting calls, from now on')
    .option('--method <name>', 'only these calls: sendMessage, TalkService.*, operationReceive')
    .option('--account <account>', 'only calls of this user id or mid')
    .option('--path <path>', 'only paths that begin so')
    .option('--answer <error>', 'answer this error of the error table')
    .option('--status <code>', 'answer this HTTP status')
    .option('--body <text>', 'the body that goes with --status')
    .option('--delay <span>', 'wait first, for example 2s')
    .option('--cut <place>', 'close the connection: request, answer, or after so many bytes of the answer')
    .addOption(new Option('--drop <what>', 'never answer, with the call handled or not').choices(['request', 'answer']))
    .option('--duplicate', 'handle the call twice')
    .option('--rate <share>', 'only this share of the calls, for example 0.1')
    .option('--times <count>', 'end after so many calls')
    .action(add);
  withWorkbenchOptions(fault.command('list')).description('list the faults, and how often each happened').action(list);
  withWorkbenchOptions(fault.command('remove')).description('end a fault').argument('<id>').action(remove);
  withWorkbenchOptions(fault.command('clear')).description('end all faults').action(clear);
}

async function add(options: FaultOptions): Promise<void> {
  const fault = await atWorkbench(options, (workbench) => workbench.addFault(ruleOf(options)));
  createOutput(options).print(`Fault ${fault.id} is on: ${JSON.stringify(fault.rule)}`, fault);
}

function ruleOf({
  method,
  account,
  path,
  delay,
  cut,
  drop,
  duplicate,
  rate,
  times,
  ...given
}: FaultOptions): FaultRule {
  const match = { ...(method && { method }), ...(account && { account }), ...(path && { path }) };
  const { answer, status, body } = given;
  return {
    ...(Object.keys(match).length > 0 && { match }),
    ...(delay !== undefined && { delay }),
    ...(answer !== undefined && { answer: { error: answer } }),
    ...(status !== undefined && { answer: { status: wholeNumber('--status', status), ...(body && { body }) } }),
    ...(cut !== undefined && { cut: placeOf(cut) }),
    ...(drop && { drop }),
    ...(duplicate && { duplicate }),
    ...(rate !== undefined && { rate: shareOf(rate) }),
    ...(times !== undefined && { times: wholeNumber('--times', times) }),
  };
}

const placeOf = (cut: string): 'request' | 'answer' | number =>
  cut === 'request' || cut === 'answer' ? cut : wholeNumber('--cut', cut);

function shareOf(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share >= 0 && share <= 1) return share;
  throw new CliError(`--rate must be a number from 0 to 1, not ${JSON.stringify(text)}.`, exitCodes.usage);
}

const rowOf = ({ id, fired, rule }: Fault): string[] => [id, String(fired), JSON.stringify(rule)];

async function list(options: WorkbenchOptions): Promise<void> {
  const { faults } = await atWorkbench(options, (workbench) => workbench.listFaults());
  const text = faults.length === 0 ? 'No faults.' : table(['ID', 'HAPPENED', 'RULE'], faults.map(rowOf));
  createOutput(options).print(text, faults);
}

async function remove(id: string, options: WorkbenchOptions): Promise<void> {
  await atWorkbench(options, (workbench) => workbench.removeFault({ fault: id }));
  createOutput(options).print(`Fault ${id} ended.`, { id, removed: true });
}

async function clear(options: WorkbenchOptions): Promise<void> {
  await atWorkbench(options, (workbench) => workbench.clearFaults());
  createOutput(options).print('No faults any more.', { cleared: true });
}
