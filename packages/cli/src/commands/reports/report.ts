import { spammerReasons } from '@sealpost/contract';
import { AdminError, type ReportReason } from '@sealpost/sdk';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Admin, type AdminOptions, adminOf, allPages, withAdminOptions } from '../../admin.ts';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { namesOf, nameTyped } from '../../enum-names.ts';
import { CliError } from '../../exit-codes.ts';
import { findMessage, messageId } from '../../find-message.ts';
import { createOutput, minuteText, oneLine } from '../../output.ts';
import { resolveRecipient } from '../../people.ts';
import { table } from '../../table.ts';
import { reportText } from './report-text.ts';

interface SendOptions extends ConnectionOptions {
  readonly reason: ReportReason;
  readonly message: readonly string[];
}

interface ResolveOptions extends AdminOptions {
  readonly disableAccount?: boolean;
  readonly note?: string;
  readonly ifAssignedTo?: string;
}

const reasonNames = namesOf(spammerReasons);

export function addReportCommands(program: Command): void {
  const report = program.command('report').description('report a user; as operator, deal with reports');
  withConnectionOptions(report.command('send'))
    .description('report a user to the operator')
    .argument('<user>', 'a mid or a user id')
    .addOption(new Option('--reason <reason>', reasonNames.join(', ')).argParser(reasonOf).default('OTHER', 'other'))
    .addOption(
      new Option('--message <id>', 'attach this message of the user; can be given several times')
        .argParser((id: string, all: readonly string[]) => [...all, messageId(id)])
        .default([], 'none'),
    )
    .action(send);
  withAdminOptions(report.command('list'))
    .description('list open reports, newest first, with the admin token')
    .option('--all', 'include resolved reports')
    .action(list);
  withAdminOptions(report.command('show'))
    .description('show one report with its content, with the admin token')
    .argument('<id>')
    .action(show);
  withAdminOptions(report.command('resolve'))
    .description('close a report, with the admin token')
    .argument('<id>')
    .option('--disable-account', 'also disable the reported account')
    .option('--note <text>', 'a note for the audit log')
    .option('--if-assigned-to <name>', 'only if this person takes care of it; "" means nobody')
    .action(resolve);
}

async function send(user: string, { reason, message: ids, ...options }: SendOptions): Promise<void> {
  await asUser(options, async ({ client, sealing, contacts, reports }) => {
    const userMid = await resolveRecipient(contacts, user);
    const messages = await sealing.openAll(await Promise.all(ids.map((id) => findMessage(client, id))));
    const strange = messages.find(({ from }) => from !== userMid);
    if (strange) throw new CliError(`The message ${strange.id} is not from ${user}, so it cannot be in this report.`);
    if (messages.length === 0) await reports.user(userMid, [reason]);
    else await reports.messages(messages, [reason]);
    const attached = messages.length === 0 ? '' : `, with ${messages.length} of their messages`;
    createOutput(options).print(`Reported ${user}${attached}.`, { userMid });
  });
}

async function list(options: AdminOptions & { all?: boolean }): Promise<void> {
  const status = options.all ? {} : ({ status: 'open' } as const);
  const admin = await adminOf(options);
  const reports = await allPages(
    (from) => admin.listReports({ ...status, ...from }),
    (page) => page.reports,
  );
  const output = createOutput(options);
  if (output.json) return output.print('', reports);
  const nameOf = await namesOfAccounts(
    admin,
    reports.flatMap(({ reportedMid, reporterMid }) => [reportedMid, reporterMid]),
  );
  const rows = reports.map(({ id, createdTime, resolution, status, reportedMid, reporterMid }) => [
    id,
    minuteText(createdTime),
    resolution ?? status,
    nameOf(reportedMid),
    nameOf(reporterMid),
  ]);
  const text = rows.length === 0 ? 'No reports.' : table(['ID', 'TIME', 'STATE', 'REPORTED', 'BY'], rows);
  output.print(text, reports);
}

/**
 * Returns a function that names accounts. An account keeps its mid as its name if it was deleted, or if the token may not
 * read accounts.
 */
async function namesOfAccounts(admin: Admin, mids: readonly string[]): Promise<(mid: string) => string> {
  const names = new Map<string, string>();
  for (const mid of new Set(mids)) {
    const account = await admin.showAccount({ account: mid }).catch((error: unknown) => {
      if (error instanceof AdminError) return undefined;
      throw error;
    });
    if (account) names.set(mid, `${oneLine(account.displayName)} (${account.userid ?? mid})`);
  }
  return (mid) => names.get(mid) ?? mid;
}

async function show(id: string, options: AdminOptions): Promise<void> {
  const admin = await adminOf(options);
  const report = await admin.showReport({ report: id });
  const output = createOutput(options);
  if (output.json) return output.print('', report);
  const nameOf = await namesOfAccounts(admin, [report.reportedMid, report.reporterMid]);
  output.print(reportText(report, nameOf), report);
}

async function resolve(id: string, options: ResolveOptions): Promise<void> {
  const report = await (await adminOf(options)).resolveReport({
    report: id,
    action: options.disableAccount ? 'disable-account' : 'dismiss',
    ...(options.note ? { note: options.note } : {}),
    ...(options.ifAssignedTo === undefined ? {} : { ifAssignedTo: options.ifAssignedTo }),
  });
  const also = options.disableAccount ? ` and disabled ${report.reportedMid}` : '';
  createOutput(options).print(`Resolved report ${id}${also}.`, report);
}

function reasonOf(text: string): ReportReason {
  const name = nameTyped(spammerReasons, text);
  if (name !== undefined) return name;
  throw new InvalidArgumentError(`It must be one of ${reasonNames.join(', ')}.`);
}
