// `sealpost register`: opens an account with an invite, or on an open server, and logs in.
import { GatewayError } from '@sealpost/sdk';
import {
  type Registration,
  type RegistrationOffer,
  readInvite,
  type SolvedChallenge,
} from '@sealpost/sdk/registration';
import type { Command } from 'commander';
import { ask } from '../../confirm.ts';
import { type ConnectionOptions, connect, login, registrationOf, withConnectionOptions } from '../../connection.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { exitCodeOf, messageOf } from '../../failures.ts';
import { prepareLoginFolder, setCurrentLogin } from '../../logins.ts';
import { createOutput, type Output, oneLine } from '../../output.ts';
import { askPassword, givenPassword, type PasswordOptions } from '../../password.ts';

interface RegisterOptions extends ConnectionOptions, PasswordOptions {
  readonly invite?: string;
  readonly name?: string;
}

export function addRegisterCommand(program: Command): void {
  withConnectionOptions(program.command('register'))
    .description('open an account with an invite, and log in; on an open server, without an invite')
    .argument('[userid]', 'user id of the new account; without it, the one that the invite proposes')
    .option('--invite <link>', 'the link of the invite, or its code')
    .option('--name <displayName>', 'display name; without it, the one of the invite, or the user id')
    .option('--password <password>', 'the password; others may see it in the list of processes')
    .option('--password-stdin', 'read the password from standard input (or set SEALPOST_PASSWORD)')
    .action(register);
}

/** The permission to open an account: the code of an invite, or a solved challenge. */
type Entry = { readonly code: string } | { readonly solved: SolvedChallenge };

async function register(given: string | undefined, asked: RegisterOptions): Promise<void> {
  const output = createOutput(asked);
  prepareLoginFolder();
  const link = asked.invite === undefined ? undefined : readInvite(asked.invite);
  // The address in an invite link is used before that of a saved login, because an invite is valid only on its server.
  const options = link?.url === undefined ? asked : { ...asked, url: asked.url ?? link.url };
  const registration = registrationOf(options);
  const invite = link && (await requireUsable(registration, link.code));
  const userid = given ?? invite?.userid ?? (await askUserid());
  const password = (await givenPassword(options)) ?? (await newPassword(userid));
  const displayName = options.name ?? invite?.name ?? userid;
  const entry = link ? { code: link.code } : await openEntry(registration, output);
  const made = await registration.register({ userid, password, displayName, ...entry });
  const connection = connect(options, options.as ?? made.userid);
  try {
    await login(connection, options, { userid: made.userid, password }).catch((error: unknown) => {
      throw withoutLogin(made, connection.url, options, error);
    });
    setCurrentLogin(connection.name);
    const { url } = connection;
    const text = `Opened the account ${made.userid} (${made.mid}) at ${url}, and logged in.`;
    output.print(text, { ...made, login: connection.name, url });
  } finally {
    connection.sealing.close();
    connection.client.close();
  }
}

/** Returns the error for an account that was opened, and whose first login then failed. */
function withoutLogin(
  { userid, mid }: { readonly userid: string; readonly mid: string },
  url: string,
  { as, brand }: RegisterOptions,
  error: unknown,
): CliError {
  const unsigned = error instanceof GatewayError && error.error === 'REQUEST_INVALID_HMAC';
  const command = [
    `sealpost login ${userid} --url ${url}`,
    ...(as === undefined ? [] : [`--as ${as}`]),
    ...(brand === undefined ? [] : [`--brand ${brand}`]),
    ...(unsigned ? ['--build-token <token>'] : []),
  ].join(' ');
  const why = unsigned ? ". The build token is not one of the server's: ask whoever runs it for one" : '';
  return new CliError(
    `Opened the account ${userid} (${mid}), but the login failed: ${messageOf(error).replace(/\.$/, '')}${why}. Do not register again. Log in with: ${command}`,
    exitCodeOf(error),
  );
}

const overTexts = { 'used-up': 'is used up', expired: 'has expired', revoked: 'was revoked' } as const;

async function requireUsable(registration: Registration, code: string) {
  const invite = await registration.invite(code);
  if (invite.state === 'usable') return invite;
  throw new CliError(`The invite ${overTexts[invite.state]}. Ask for another one.`);
}

async function askUserid(): Promise<string> {
  if (process.stdin.isTTY) return ask('User id of the new account');
  throw new CliError('Name the user id of the new account: sealpost register <userid>.', exitCodes.usage);
}

/** Asks for a new password twice, because the user cannot see the typed characters. */
async function newPassword(userid: string): Promise<string> {
  const password = await askPassword(`Password for ${oneLine(userid)}`);
  if ((await askPassword('The same password again')) === password) return password;
  throw new CliError('The passwords differ. Nothing was done.', exitCodes.usage);
}

const refusals: Readonly<Record<Exclude<RegistrationOffer['mode'], 'open'>, string>> = {
  invite: 'This server opens accounts for people with an invite: sealpost register --invite <link>.',
  closed: 'This server opens no accounts itself. Ask whoever runs it.',
};

async function openEntry(registration: Registration, output: Output): Promise<Entry> {
  const { mode } = await registration.offer();
  if (mode !== 'open') throw new CliError(refusals[mode]);
  output.note('The server asks this machine for some work first; this takes some seconds.');
  return { solved: await registration.solvedChallenge() };
}
