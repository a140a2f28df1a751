// Gets a recovery passphrase. The user types a new one twice, or confirms a generated one, or a script gives one.
import { readRecoveryPassphrase } from '@sealpost/crypto';
import { createRecoveryPassphrase, passphraseStrength } from '@sealpost/sdk';
import { CliError, exitCodes } from './exit-codes.ts';
import type { Output } from './output.ts';
import { askPassword, readAll } from './password.ts';

export interface PassphraseOptions {
  readonly passphraseStdin?: boolean;
}

export interface NewPassphrase {
  readonly passphrase: string;
  /** True if the passphrase was generated and the user has not seen it yet. */
  readonly unseen: boolean;
}

const TRIES = 3;

/** Returns a passphrase for a new backup. */
export async function newPassphrase(
  options: PassphraseOptions & { readonly generate?: boolean },
  output: Output,
): Promise<NewPassphrase> {
  if (options.generate) return { passphrase: createRecoveryPassphrase(), unseen: true };
  const given = await givenPassphrase(options);
  if (given !== undefined) return { passphrase: given, unseen: false };
  requireTerminal('--generate, --passphrase-stdin or SEALPOST_RECOVERY_PASSPHRASE');
  const passphrase = await chosen(output);
  await requireTypedAgain(passphrase, output);
  return { passphrase, unseen: false };
}

/**
 * Asks for a new passphrase. Offers a generated one first, because few people invent a passphrase that is equally hard
 * to guess.
 */
async function chosen(output: Output): Promise<string> {
  const made = createRecoveryPassphrase();
  output.note(
    `\n    ${made}\n\nThis passphrase was made for you, and nobody can guess it. To use it, write it down now on paper, keep the paper away from this machine, and press Enter. It is not shown again.`,
  );
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const typed = await askPassword('Recovery passphrase (press Enter to use the one above)');
    if (typed === '') return made;
    const { enough, weaknesses } = await passphraseStrength(typed);
    if (enough) return typed;
    output.note(`This passphrase is too easy to guess: ${weaknesses.join('; ')}.`);
  }
  throw new CliError(
    'Nothing was backed up: all of these passphrases are too easy to guess. Run the command again and press Enter.',
  );
}

/** Returns the passphrase of an existing backup, given by a script or typed by the user. */
export async function knownPassphrase(options: PassphraseOptions): Promise<string> {
  const given = await givenPassphrase(options);
  if (given !== undefined) return given;
  requireTerminal('--passphrase-stdin or SEALPOST_RECOVERY_PASSPHRASE');
  return askPassword('Recovery passphrase');
}

async function givenPassphrase({ passphraseStdin }: PassphraseOptions): Promise<string | undefined> {
  if (passphraseStdin) return (await readAll()).replace(/\r?\n$/, '');
  return process.env.SEALPOST_RECOVERY_PASSPHRASE;
}

async function requireTypedAgain(passphrase: string, output: Output): Promise<void> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const again = await askPassword('Type it again');
    if (readRecoveryPassphrase(again) === readRecoveryPassphrase(passphrase)) return;
    output.note('That is a different passphrase.');
  }
  throw new CliError('Nothing was backed up: the passphrase was not typed the same way again.');
}

function requireTerminal(ways: string): void {
  if (process.stdin.isTTY) return;
  throw new CliError(
    `No passphrase: this is not a terminal, so it cannot be asked for. Give it by ${ways}.`,
    exitCodes.usage,
  );
}
