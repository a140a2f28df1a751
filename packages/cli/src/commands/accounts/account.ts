import { resolve } from 'node:path';
import { drawBelow } from '@sealpost/contract/ports';
import { systemPorts } from '@sealpost/sdk';
import type { Account } from '@sealpost/sdk/admin';
import type { Command } from 'commander';
import { type AdminOptions, adminOf, allPages, withAdminOptions } from '../../admin.ts';
import { writeArchive } from '../../archive-file.ts';
import { confirmed } from '../../confirm.ts';
import { bytesText, createOutput, oneLine } from '../../output.ts';
import { givenPassword, type PasswordOptions } from '../../password.ts';
import { stepLine } from '../../step-line.ts';
import { table } from '../../table.ts';
import { addImportCommand } from '../registration/import.ts';

interface CreateOptions extends AdminOptions, PasswordOptions {
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly region?: string;
  readonly kind: Account['kind'];
}

const ACCOUNT = '<account>';
const ACCOUNT_IS = 'user id or mid';
/** The characters of generated passwords, without those that look alike. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const GENERATED_LENGTH = 16;

export function addAccountCommands(program: Command): void {
  const account = program
    .command('account')
    .description('manage accounts, with the admin token')
    .addHelpText(
      'after',
      '\nThe admin token is that of the server of the data folder (--data-dir), which proves itself before it is sent;\nfor a server elsewhere, name both --url and SEALPOST_ADMIN_TOKEN.',
    );
  withAdminOptions(account.command('create'))
    .description('create an account; without a password, one is made and printed')
    .argument('<userid>')
    .option('--name <displayName>', 'display name; without it, the user id')
    .option('--email <address>')
    .option('--phone <number>', 'with + and country number')
    .option('--region <code>', 'two letters, for example JP')
    .option('--kind <kind>', 'user or official', 'user')
    .option('--password <password>', 'the password; others may see it in the list of processes')
    .option('--password-stdin', 'read the password from standard input (or set SEALPOST_PASSWORD)')
    .action(create);
  addImportCommand(account);
  withAdminOptions(account.command('list')).description('list accounts').action(list);
  withAdminOptions(account.command('show')).description('show one account').argument(ACCOUNT, ACCOUNT_IS).action(show);
  withAdminOptions(account.command('disable'))
    .description('end all sessions and refuse new ones')
    .argument(ACCOUNT, ACCOUNT_IS)
    .action((id: string, options: AdminOptions) => change(id, 'disableAccount', 'Disabled', options));
  withAdminOptions(account.command('enable'))
    .description('allow a disabled account to log in again')
    .argument(ACCOUNT, ACCOUNT_IS)
    .action((id: string, options: AdminOptions) => change(id, 'enableAccount', 'Enabled', options));
  withAdminOptions(account.command('reset-password'))
    .description('set a new password and end all sessions; without a password, one is made and printed')
    .argument(ACCOUNT, ACCOUNT_IS)
    .option('--password <password>', 'the password; others may see it in the list of processes')
    .option('--password-stdin', 'read the password from standard input (or set SEALPOST_PASSWORD)')
    .action(resetPassword);
  withAdminOptions(account.command('export'))
    .description('write what the server has of an account into an archive; what is sealed stays sealed')
    .argument(ACCOUNT, ACCOUNT_IS)
    .argument('<file.zip>', 'the archive to write')
    .option('--force', 'replace an existing file')
    .action(exportTo);
  withAdminOptions(account.command('delete'))
    .description('delete an account permanently, after a confirmation')
    .argument(ACCOUNT, ACCOUNT_IS)
    .option('--yes', 'do not ask')
    .action(remove);
}

async function create(userid: string, options: CreateOptions): Promise<void> {
  const given = await givenPassword(options);
  const password = given ?? generatedPassword();
  const account = await (await adminOf(options)).createAccount({
    userid,
    password,
    displayName: options.name ?? userid,
    kind: options.kind,
    ...(options.email ? { email: options.email } : {}),
    ...(options.phone ? { phone: options.phone } : {}),
    ...(options.region ? { regionCode: options.region } : {}),
  });
  const lines = [`Created ${account.userid} (${account.mid}).`, ...(given ? [] : [`Password: ${password}`])];
  createOutput(options).print(lines.join('\n'), given ? account : { ...account, password });
}

async function list(options: AdminOptions): Promise<void> {
  const accounts = await allPages((await adminOf(options)).listAccounts, ({ accounts }) => accounts);
  const rows = accounts.map((a) => [a.userid ?? '', a.displayName, a.kind, a.disabled ? 'disabled' : 'enabled', a.mid]);
  const text = rows.length === 0 ? 'No accounts yet.' : table(['USERID', 'NAME', 'KIND', 'STATE', 'MID'], rows);
  createOutput(options).print(text, accounts);
}

async function show(id: string, options: AdminOptions): Promise<void> {
  const account = await (await adminOf(options)).showAccount({ account: id });
  const rows = Object.entries(account).map(([name, value]) => [name, String(value ?? '')]);
  createOutput(options).print(table(['FIELD', 'VALUE'], rows), account);
}

type Change = 'disableAccount' | 'enableAccount';

async function change(id: string, name: Change, done: string, options: AdminOptions): Promise<void> {
  const answer = await (await adminOf(options))[name]({ account: id });
  createOutput(options).print(`${done} ${id}.`, answer);
}

async function resetPassword(id: string, options: AdminOptions & PasswordOptions): Promise<void> {
  const given = await givenPassword(options);
  const password = given ?? generatedPassword();
  const answer = await (await adminOf(options)).resetPassword({ account: id, password });
  const text = given ? `New password set for ${id}.` : `New password of ${id}: ${password}`;
  createOutput(options).print(text, given ? answer : { account: id, password });
}

async function exportTo(id: string, file: string, options: AdminOptions & { force?: boolean }): Promise<void> {
  const output = createOutput(options);
  const path = resolve(file);
  const admin = await adminOf(options);
  const line = stepLine(output);
  const bytes = await writeArchive(path, { force: options.force ?? false }, async function* (signal) {
    let megabytes = 0;
    for await (const piece of await admin.exportAccount({ account: id })) {
      signal.throwIfAborted();
      megabytes += piece.length / 1_000_000;
      line.show({ what: 'Megabytes', done: Math.round(megabytes) });
      yield piece;
    }
  }).finally(() => line.end());
  output.print(`Wrote ${path}, ${bytesText(bytes)}.`, { path, bytes });
}

async function remove(id: string, options: AdminOptions & { yes?: boolean }): Promise<void> {
  const admin = await adminOf(options);
  const { userid, displayName, mid } = await admin.showAccount({ account: id });
  const question = `Delete ${oneLine(displayName)} (${userid ?? mid}) at ${admin.url}? This cannot be undone.`;
  if (!options.yes && !(await confirmed(question, 'delete with --yes'))) {
    createOutput(options).print(`Kept ${id}.`, { account: id, deleted: false });
    return;
  }
  await admin.deleteAccount({ account: mid });
  createOutput(options).print(`Deleted ${id}.`, { account: id, deleted: true });
}

const generatedPassword = (): string =>
  Array.from({ length: GENERATED_LENGTH }, () => ALPHABET[drawBelow(systemPorts.random, ALPHABET.length)]).join('');
