import type { Command } from 'commander';
import { type AdminOptions, adminOf, allPages, withAdminOptions } from '../../admin.ts';
import { createOutput, oneLine } from '../../output.ts';
import { table } from '../../table.ts';

interface PublishOptions extends AdminOptions {
  readonly language?: string;
  readonly country?: string;
  readonly atLogin?: boolean;
}

export function addNoticeCommands(program: Command): void {
  const notice = program.command('notice').description('publish notices to all users, with the admin token');
  withAdminOptions(notice.command('publish'))
    .description('publish a notice')
    .argument('<title>')
    .argument('<body>')
    .option('--language <code>', 'only for this language, for example en')
    .option('--country <code>', 'only for this country, for example JP')
    .option('--at-login', 'clients show it when they log in')
    .action(publish);
  withAdminOptions(notice.command('list')).description('list notices, newest first').action(list);
  withAdminOptions(notice.command('withdraw')).description('withdraw a notice').argument('<id>').action(withdraw);
}

async function publish(title: string, body: string, options: PublishOptions): Promise<void> {
  const notice = await (await adminOf(options)).publishNotice({
    title,
    body,
    showTimingWhenLogin: options.atLogin ?? false,
    ...(options.language ? { language: options.language } : {}),
    ...(options.country ? { country: options.country } : {}),
  });
  createOutput(options).print(`Published notice ${notice.id}.`, notice);
}

async function list(options: AdminOptions): Promise<void> {
  const notices = await allPages((await adminOf(options)).listNotices, (page) => page.notices);
  const rows = notices.map((n) => [
    n.id,
    n.createdTime,
    n.language || 'all',
    n.country || 'all',
    n.withdrawnTime ? 'withdrawn' : 'published',
    oneLine(n.title),
  ]);
  const head = ['ID', 'TIME', 'LANGUAGE', 'COUNTRY', 'STATE', 'TITLE'];
  createOutput(options).print(rows.length === 0 ? 'No notices yet.' : table(head, rows), notices);
}

async function withdraw(id: string, options: AdminOptions): Promise<void> {
  await (await adminOf(options)).withdrawNotice({ notice: id });
  createOutput(options).print(`Withdrew notice ${id}.`, { id, withdrawn: true });
}
