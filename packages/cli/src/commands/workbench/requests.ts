import type { CallRecord, SeenCall } from '@sealpost/contract/workbench';
import type { Command } from 'commander';
import { createOutput, oneLine } from '../../output.ts';
import { table } from '../../table.ts';
import { atWorkbench, type WorkbenchOptions, withWorkbenchOptions } from '../../workbench.ts';

interface RequestsOptions extends WorkbenchOptions {
  readonly method?: string;
  readonly account?: string;
  readonly path?: string;
  readonly tag?: string;
  readonly clear?: boolean;
}

export function addRequestsCommand(program: Command): void {
  withWorkbenchOptions(program.command('requests'))
    .description("show the calls that came to a developer's server")
    .argument('[id]', 'a call to show whole')
    .option('--method <name>', 'only these calls: sendMessage, TalkService.*, operationReceive')
    .option('--account <account>', 'only calls of this user id or mid')
    .option('--path <path>', 'only paths that begin so')
    .option('--tag <tag>', 'only calls with this header X-Dev-Tag')
    .option('--clear', 'forget them instead')
    .action(requests);
}

async function requests(id: string | undefined, options: RequestsOptions): Promise<void> {
  const output = createOutput(options);
  await atWorkbench(options, async (workbench) => {
    if (options.clear) {
      await workbench.clearRequests();
      output.print('Forgotten.', { cleared: true });
    } else if (id !== undefined) {
      const record = await workbench.showRequest({ id });
      output.print(wholeText(record), record);
    } else {
      const { method, account, path, tag } = options;
      const { requests: found } = await workbench.listRequests({
        ...(method !== undefined && { method }),
        ...(account !== undefined && { account }),
        ...(path !== undefined && { path }),
        ...(tag !== undefined && { tag }),
      });
      const head = ['ID', 'TIME', 'ACCOUNT', 'CALL', 'STATUS', 'MS', 'WROTE'];
      output.print(found.length === 0 ? 'No calls yet.' : table(head, found.map(rowOf)), found);
    }
  });
}

function rowOf(call: SeenCall): string[] {
  const { id, time, userid, mid, endpoint, verb, path, durationMs, appended } = call;
  const wrote = appended.map(({ type, userid: to, mid: toMid }) => `${type} to ${to ?? toMid}`);
  return [
    ...[String(id), time.slice(11, 23), userid ?? mid ?? '', endpoint ?? oneLine(`${verb} ${path.slice(0, 60)}`)],
    ...[outcomeOf(call), durationMs === undefined ? '' : String(durationMs), wrote.join(', ')],
  ];
}

/** Returns the status with the error's name. If the call has no status, returns how the call ended. */
function outcomeOf({ status, error, state }: SeenCall): string {
  const ended = state === 'answered' ? '' : ` ${state}`;
  if (status === undefined) return state;
  return `${status}${error ? ` ${error.name || error.code}` : ''}${ended}`;
}

function wholeText(record: CallRecord): string {
  const { verb, path, headers, body, answerHeaders, answer, status = '', error, appended } = record;
  const lines = (pairs: readonly (readonly string[])[]) => pairs.map(([name, value]) => oneLine(`${name}: ${value}`));
  return [
    oneLine(`${verb} ${path}`),
    ...lines(headers),
    '',
    oneLine(body),
    '',
    `${status} ${record.state}`,
    ...lines(answerHeaders),
    '',
    oneLine(answer),
    ...(error ? ['', `${error.name}: ${error.meaning}`] : []),
    ...(appended.length > 0 ? ['', 'It wrote:'] : []),
    ...appended.map(({ type, revision, userid, mid }) => `  ${type} to ${userid ?? mid}, revision ${revision}`),
  ].join('\n');
}
