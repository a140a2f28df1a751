// Gets a password from the user. The option `--password` is not the usual way, because its value stays in the shell's
// history.
import { askHidden } from './confirm.ts';
import { CliError, exitCodes } from './exit-codes.ts';

export interface PasswordOptions {
  readonly password?: string;
  readonly passwordStdin?: boolean;
}

/**
 * Returns the password from the option, standard input or SEALPOST_PASSWORD; undefined if none of them has a password.
 */
export async function givenPassword(options: PasswordOptions): Promise<string | undefined> {
  if (options.password !== undefined) return options.password;
  if (options.passwordStdin) return (await readAll()).replace(/\r?\n$/, '');
  return process.env.SEALPOST_PASSWORD;
}

/** Asks for a password on the terminal, without showing what is typed. */
export async function askPassword(question: string): Promise<string> {
  if (!process.stdin.isTTY) {
    const ways = '--password-stdin or SEALPOST_PASSWORD';
    throw new CliError(
      `No password: this is not a terminal, so it cannot be asked for. Give it by ${ways}.`,
      exitCodes.usage,
    );
  }
  return askHidden(question);
}

/**
 * Returns the account's current password, from standard input, SEALPOST_PASSWORD, or the user. The option `--password`
 * is missing here, because other users of the machine could see it.
 */
export const currentPassword = async (options: Pick<PasswordOptions, 'passwordStdin'>): Promise<string> =>
  (await givenPassword(options)) ?? askPassword('Your password');

/** Returns all of standard input as text. */
export const readAll = async (): Promise<string> => (await readAllBytes()).toString('utf8');

/** Returns all of standard input. */
export async function readAllBytes(): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
