// `sealpost profile userid|email|phone`: changes the identifiers with which an account logs in and is found.
import type { OwnIdentifiers } from '@sealpost/contract';
import type { Command } from 'commander';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { createOutput } from '../../output.ts';
import { currentPassword, type PasswordOptions } from '../../password.ts';
import { fieldTable } from '../../table.ts';
import { refusalInWords } from './refusals.ts';

interface IdentifierOptions extends ConnectionOptions, Pick<PasswordOptions, 'passwordStdin'> {
  readonly remove?: boolean;
}

export function addIdentifierCommands(profile: Command): void {
  withPassword(profile.command('userid'))
    .description('change your user id; asks for your password')
    .argument('<userid>', '1 to 40 of a-z, 0-9, ".", "_" and "-"')
    .action((userid: string, options: IdentifierOptions) => change({ userid }, options));
  withPassword(profile.command('email'))
    .description('change or remove your e-mail address; asks for your password')
    .argument('[address]', 'for example alice@example.org')
    .option('--remove', 'remove the address')
    .action((email: string | undefined, options: IdentifierOptions) =>
      change({ email: given(email, options) }, options),
    );
  withPassword(profile.command('phone'))
    .description('change or remove your phone number; asks for your password')
    .argument('[number]', 'in international form, for example +81312345678')
    .option('--remove', 'remove the number')
    .action((phone: string | undefined, options: IdentifierOptions) =>
      change({ phone: given(phone, options) }, options),
    );
}

const withPassword = (command: Command): Command =>
  withConnectionOptions(command).option(
    '--password-stdin',
    'read your password from standard input (or set SEALPOST_PASSWORD)',
  );

/** Returns the new value; an empty text if the value is to be removed. */
function given(value: string | undefined, { remove }: IdentifierOptions): string {
  if (value !== undefined && value !== '' && !remove) return value;
  if (value === undefined && remove) return '';
  throw new CliError('Give a new value, or --remove.', exitCodes.usage);
}

async function change(changes: OwnIdentifiers, options: IdentifierOptions): Promise<void> {
  await asUser(options, async ({ client }) => {
    const password = await currentPassword(options);
    const identifiers = await refusalInWords(client.ownAccount.changeIdentifiers({ ...changes, password }));
    createOutput(options).print(fieldTable(identifiers), identifiers);
  });
}
