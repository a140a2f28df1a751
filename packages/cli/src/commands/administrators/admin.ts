// `sealpost admin`: manages administrators of the server and their sessions, with the admin token.
import type { Administrator } from '@sealpost/sdk/admin';
import type { Command } from 'commander';
import { renderUnicodeCompact } from 'uqr';
import { type AdminOptions, adminOf, withAdminOptions } from '../../admin.ts';
import { confirmed } from '../../confirm.ts';
import { createOutput, minuteText, oneLine } from '../../output.ts';
import { table } from '../../table.ts';
import { addTokenCommands } from './admin-token.ts';

interface CreateOptions extends AdminOptions {
  readonly qr?: boolean;
}

interface RemoveOptions extends AdminOptions {
  readonly last?: boolean;
  readonly yes?: boolean;
}

export function addAdminCommands(program: Command): void {
  const admin = program
    .command('admin')
    .description('manage administrators, their sessions and tokens for machines, with the admin token');
  withAdminOptions(admin.command('create'))
    .description('make a link with which somebody becomes an administrator; it works once, for 15 minutes')
    .argument('[name]', 'the name that the administrator must take; without it, the person chooses')
    .option('--qr', 'draw the link as a QR code')
    .action(create);
  withAdminOptions(admin.command('list'))
    .description('list administrators with their second factors and last login')
    .action(list);
  withAdminOptions(admin.command('remove'))
    .description('remove an administrator and end its sessions, after a confirmation; its tokens stay')
    .argument('<name>')
    .option('--last', 'remove it even if it is the last one')
    .option('--yes', 'do not ask')
    .action(remove);
  addSessionCommands(admin);
  addTokenCommands(admin);
}

function addSessionCommands(admin: Command): void {
  const sessions = admin.command('sessions').description('list and end sessions of administrators');
  withAdminOptions(sessions.command('list'))
    .description('list the sessions of all administrators, newest first')
    .action(listSessions);
  withAdminOptions(sessions.command('end'))
    .description('end a session at once')
    .argument('<id>', 'session id, from admin sessions list')
    .action(async (id: string, options: AdminOptions) => {
      await (await adminOf(options)).endAdminSession({ session: id });
      createOutput(options).print(`Ended session ${id}.`, { id, ended: true });
    });
}

async function create(name: string | undefined, options: CreateOptions): Promise<void> {
  const made = await (await adminOf(options)).createSetupLink(name === undefined ? {} : { name });
  const who = name === undefined ? 'a new administrator' : `the new administrator ${name}`;
  const lines = [`Setup link for ${who}, once, until ${minuteText(made.expiresTime)} UTC:`, made.link];
  if (options.qr) lines.push(renderUnicodeCompact(made.link));
  createOutput(options).print(lines.join('\n'), made);
}

async function list(options: AdminOptions): Promise<void> {
  const { administrators } = await (await adminOf(options)).listAdministrators();
  const rows = administrators.map((one) => [
    one.name,
    factorsText(one),
    minuteText(one.createdTime),
    one.lastLoginTime === undefined ? 'never' : minuteText(one.lastLoginTime),
  ]);
  const text =
    rows.length === 0
      ? 'No administrators yet: sealpost admin create makes a setup link.'
      : table(['NAME', 'SECOND FACTORS', 'CREATED', 'LAST LOGIN'], rows);
  createOutput(options).print(text, administrators);
}

const factorsText = ({ factors }: Administrator): string => (factors.length === 0 ? 'none' : factors.join(', '));

async function remove(name: string, options: RemoveOptions): Promise<void> {
  const admin = await adminOf(options);
  const output = createOutput(options);
  const question = `Remove the administrator ${oneLine(name)} at ${admin.url}? This cannot be undone.`;
  if (!options.yes && !(await confirmed(question, 'remove with --yes'))) {
    output.print(`Kept ${name}.`, { name, removed: false });
    return;
  }
  await admin.removeAdministrator({ administrator: name, ...(options.last && { last: true }) });
  output.print(`Removed the administrator ${name}.`, { name, removed: true });
}

async function listSessions(options: AdminOptions): Promise<void> {
  const { sessions } = await (await adminOf(options)).listAdminSessions();
  const rows = sessions.map((one) => [
    one.id,
    one.administrator,
    one.remoteAddress,
    minuteText(one.lastSeenTime),
    minuteText(one.expiresTime),
    oneLine(one.userAgent),
  ]);
  const head = ['ID', 'ADMINISTRATOR', 'ADDRESS', 'LAST SEEN', 'EXPIRES', 'BROWSER'];
  createOutput(options).print(rows.length === 0 ? 'No administrator is logged in.' : table(head, rows), sessions);
}
