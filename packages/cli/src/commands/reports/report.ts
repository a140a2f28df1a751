import { reportSources, spammerReasons } from '@sealpost/contract';
import { type Command, InvalidArgumentError } from 'commander';
import { type AdminOptions, adminOf, allPages, withAdminOptions } from '../../admin.ts';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { createOutput } from '../../output.ts';
import { resolveRecipient } from '../../people.ts';
import { table } from '../../table.ts';

type Reason = (typeof spammerReasons)[keyof typeof spammerReasons];

interface SendOptions extends ConnectionOptions {
  readonly reason: Reason;
}

interface ResolveOptions extends AdminOptions {
  readonly disableAccount?: boolean;
  readonly note?: string;
}

export function addReportCommands(program: Command): void {
  const report = program.command('report').description('report a user; as operator, deal with reports');
  withConnectionOptions(report.command('send'))
    .description('report a user to the operator')
    .argument('<user>', 'a mid or a user id')
    .option('--reason <reason>', reasonNames().join(', '), reasonOf, spammerReasons.OTHER)
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
    .action(resolve);
}

async function send(user: string, options: SendOptions): Promise<void> {
  await asUser(options, async ({ client, contacts }) => {
    const userMid = await resolveRecipient(contacts, user);
    await client.TalkService.reportAbuseEx({
      abuseReportEntry: {
        message: {
          reportSource: reportSources.FRIEND_PROFILE,
          spammerReasons: [options.reason],
          abuseMessages: [],
          metadata: { userMid },
        },
      },
    });
    createOutput(options).print(`Reported ${user}.`, { userMid });
  });
}

async function list(options: AdminOptions & { all?: boolean }): Promise<void> {
  const status = options.all ? {} : ({ status: 'open' } as const);
  const admin = await adminOf(options);
  const reports = await allPages(
    (from) => admin.listReports({ ...status, ...from }),
    (page) => page.reports,
  );
  const rows = reports.map((r) => [r.id, r.createdTime, r.resolution ?? r.status, r.reportedMid, r.reporterMid]);
  const text = rows.length === 0 ? 'No reports.' : table(['ID', 'TIME', 'STATE', 'REPORTED', 'BY'], rows);
  createOutput(options).print(text, reports);
}

async function show(id: string, options: AdminOptions): Promise<void> {
  const report = await (await adminOf(options)).showReport({ report: id });
  createOutput(options).print(JSON.stringify(report, null, 2), report);
}

async function resolve(id: string, options: ResolveOptions): Promise<void> {
  const report = await (await adminOf(options)).resolveReport({
    report: id,
    action: options.disableAccount ? 'disable-account' : 'dismiss',
    ...(options.note ? { note: options.note } : {}),
  });
  const also = options.disableAccount ? ` and disabled ${report.reportedMid}` : '';
  createOutput(options).print(`Resolved report ${id}${also}.`, report);
}

function reasonNames(): string[] {
  return Object.keys(spammerReasons).map((name) => name.toLowerCase().replace('_', '-'));
}

function reasonOf(text: string): Reason {
  const name = text.toUpperCase().replace('-', '_');
  if (Object.hasOwn(spammerReasons, name)) return spammerReasons[name as keyof typeof spammerReasons];
  throw new InvalidArgumentError(`It must be one of ${reasonNames().join(', ')}.`);
}
