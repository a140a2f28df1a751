// `sealpost password` and `sealpost delete-account`: actions that only the owner of an account may do.
import type { Command } from 'commander';
import { confirmed } from '../../confirm.ts';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { forgetLogin } from '../../logins.ts';
import { createOutput } from '../../output.ts';
import { askPassword, currentPassword, type PasswordOptions, readAll } from '../../password.ts';
import { refusalInWords } from './refusals.ts';

interface ChangeOptions extends ConnectionOptions, Pick<PasswordOptions, 'passwordStdin'> {
  readonly endOtherSessions?: boolean;
}

interface DeleteOptions extends ConnectionOptions, Pick<PasswordOptions, 'passwordStdin'> {
  readonly yes?: boolean;
}

export function addOwnAccountCommands(program: Command): void {
  withConnectionOptions(program.command('password'))
    .description('change the password of your account')
    .option('--end-other-sessions', 'end all other sessions, and forget the devices that needed no confirmation')
    .option('--password-stdin', 'read two lines from standard input: your password, and the new one')
    .action(changePassword);
  withConnectionOptions(program.command('delete-account'))
    .description('delete your account, for good')
    .option('--password-stdin', 'read your password from standard input (or set SEALPOST_PASSWORD)')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      `
Your profile, contacts, settings, keys, their backup and your files go, and all sessions end. You leave all groups.
Messages that you sent stay with the people who got them. Nobody can undo this.`,
    )
    .action(deleteAccount);
}

async function changePassword(options: ChangeOptions): Promise<void> {
  await asUser(options, async ({ client, name }) => {
    const passwords = options.passwordStdin ? await twoLines() : await typed();
    const endOtherSessions = options.endOtherSessions ?? false;
    await refusalInWords(client.ownAccount.changePassword({ ...passwords, endOtherSessions }));
    const text = endOtherSessions
      ? `Changed the password of ${name}. All other sessions have ended.`
      : `Changed the password of ${name}. Other sessions go on; end them with: sealpost devices revoke --others`;
    createOutput(options).print(text, { changed: true, endedOtherSessions: endOtherSessions });
  });
}

async function twoLines(): Promise<{ password: string; newPassword: string }> {
  const [password, newPassword, ...more] = (await readAll()).replace(/\r?\n$/, '').split(/\r?\n/);
  if (password !== undefined && newPassword !== undefined && more.length === 0) return { password, newPassword };
  throw new CliError('Standard input must have two lines: your password, and the new one.', exitCodes.usage);
}

async function typed(): Promise<{ password: string; newPassword: string }> {
  if (!process.stdin.isTTY) {
    const way = 'Give both passwords by --password-stdin, one line each.';
    throw new CliError(`This is not a terminal, so nobody can be asked. ${way}`, exitCodes.usage);
  }
  const password = await askPassword('Your password');
  const newPassword = await askPassword('New password');
  if ((await askPassword('New password again')) === newPassword) return { password, newPassword };
  throw new CliError('Nothing was changed: the new password was not typed the same way again.');
}

async function deleteAccount(options: DeleteOptions): Promise<void> {
  const output = createOutput(options);
  await asUser(options, async ({ client, name, mid }) => {
    const { userid } = await client.TalkService.getProfile();
    const explain = (): void =>
      output.note(
        `This deletes the account ${userid ?? mid} for good. Messages that it sent stay with the people who got them; its files go.`,
      );
    // With --json, a failure is the only text on standard error, unless there is a question.
    if (!output.json) explain();
    if (!options.yes && !(await confirmed('Delete it?', 'delete with --yes', output.json ? explain : undefined))) {
      output.print('Nothing was deleted.', { deleted: false, mid });
      return;
    }
    const password = await currentPassword(options);
    await refusalInWords(client.ownAccount.delete(password));
    forgetLogin(name);
    output.print(`Deleted the account. The login "${name}" and its keys are gone from this machine.`, {
      deleted: true,
      mid,
    });
  });
}
