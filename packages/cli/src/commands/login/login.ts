import { limits } from '@sealpost/contract';
import type { RpcClient } from '@sealpost/sdk';
import type { Command } from 'commander';
import { asUser, type ConnectionOptions, connect, login, loginName, withConnectionOptions } from '../../connection.ts';
import { devAccount } from '../../dev-accounts.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { loginKeyStore, withKeys, wordsText } from '../../key-files.ts';
import { setCurrentLogin } from '../../logins.ts';
import { createOutput, type Output } from '../../output.ts';
import { askPassword, givenPassword, type PasswordOptions } from '../../password.ts';
import { logInByQr } from './qr-login.ts';

export function addLoginCommands(program: Command): void {
  withConnectionOptions(program.command('login'))
    .description('log in and keep the session on this machine')
    .argument('[userid]', 'user id, e-mail address or phone number')
    .option('--qr', 'show a QR code instead, for a device that is logged in already; needs no user id')
    .option('--password <password>', 'the password; others may see it in the list of processes')
    .option('--password-stdin', 'read the password from standard input (or set SEALPOST_PASSWORD)')
    .action(logIn);
  withConnectionOptions(program.command('logout'))
    .description('end the session on the server and forget it here')
    .action(logOut);
  withConnectionOptions(program.command('whoami')).description('show the account of this login').action(whoAmI);
}

interface LoginOptions extends ConnectionOptions, PasswordOptions {
  readonly qr?: boolean;
}

async function logIn(userid: string | undefined, options: LoginOptions): Promise<void> {
  const output = createOutput(options);
  const name = options.as ?? userid;
  if (options.qr) return logInByQr(options, name);
  if (userid === undefined || name === undefined) {
    throw new CliError('Name the user id to log in with, or give --qr.', exitCodes.usage);
  }
  const connection = connect(options, name);
  try {
    const given = (await givenPassword(options)) ?? devAccount(connection.url, userid, options.dataDir)?.password;
    const password = given ?? (await askPassword(`Password of ${userid}`));
    let withoutKeys: string | undefined;
    const mid = await login(connection, options, {
      userid,
      password,
      onConfirmationNeeded: (pinCode, words) => output.note(confirmationText(pinCode, words)),
      onWithoutKeys: (reason) => {
        withoutKeys = reason;
      },
    });
    if (withoutKeys !== undefined) await noteWithoutKeys(connection.client, output, withoutKeys);
    setCurrentLogin(name);
    const { url } = connection;
    const keys = (await loginKeyStore(name).ownKeys(mid)).length;
    output.print(`Logged in as ${userid} (${mid}) at ${url}, ${withKeys(keys)}.`, { login: name, mid, url, keys });
  } finally {
    connection.client.close();
  }
}

/**
 * Tells why a login brought no keys. A new account has none to bring: its server says that Letter Sealing is off, which
 * would alarm people.
 */
async function noteWithoutKeys({ TalkService }: RpcClient, output: Output, reason: string): Promise<void> {
  const hasKeys = await TalkService.getE2EEPublicKeys().then(
    (keys) => keys.length > 0,
    () => true,
  );
  const text = hasKeys
    ? `This login brings no keys: ${reason}. ${REFUSE_KEYS}`
    : 'This account has no key yet; the first sealed message makes one.';
  output.note(text);
}

const MINUTES = Math.floor(limits.loginLifeMs.value / 60_000);

const REFUSE_KEYS = 'If another device asks whether to hand over keys for it, refuse there.';

const confirmationText = (pinCode: string, words?: string): string =>
  `Confirm this login on a device that is logged in already, with the PIN: ${pinCode}
${words === undefined ? `There are no words to compare. ${REFUSE_KEYS}` : wordsText(words)}
There, \`sealpost devices pending\` shows the login, and \`sealpost devices approve <login>\` asks for the PIN. Waiting for ${MINUTES} minutes.`;

async function logOut(options: ConnectionOptions): Promise<void> {
  const output = createOutput(options);
  const name = loginName(options);
  const connection = name === undefined ? undefined : connect(options, name);
  if (!connection?.client.session) {
    output.print('Nobody is logged in.', { loggedOut: false });
    return;
  }
  try {
    await connection.client.logout();
    output.print(`Logged out ${connection.name}.`, { loggedOut: true, login: connection.name });
  } finally {
    connection.client.close();
  }
}

async function whoAmI(options: ConnectionOptions): Promise<void> {
  const output = createOutput(options);
  await asUser(options, async ({ client, name, url }) => {
    const profile = await client.TalkService.getProfile();
    const { mid, userid, displayName } = profile;
    output.print(`${displayName} (${userid ?? 'no user id'})\n${mid}\nlogin ${name} at ${url}`, { ...profile, url });
  });
}
