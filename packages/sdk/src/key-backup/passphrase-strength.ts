// Estimates how many attempts it takes to guess a passphrase. The dictionaries are large, so they are loaded only when
// somebody chooses a passphrase, and not with the page.
import { readRecoveryPassphrase } from '@sealpost/crypto';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { loaded } from '../deferred.ts';

export interface PassphraseStrength {
  /** The number of attempts that a guesser needs, as a power of ten: 14 means 10^14 attempts. */
  readonly guessesLog10: number;
  /** True if the passphrase is hard enough to guess for a backup. An attacker who has a backup can try without limits. */
  readonly enough: boolean;
  /** Explanations of what makes the passphrase easy to guess, for users. They contain no part of the passphrase. */
  readonly weaknesses: readonly string[];
}

/**
 * The least strength of a passphrase for a backup, as a power of ten. A machine with a million attempts a second, each
 * of which uses 64 MiB, needs three years for 10^14.
 */
export const LEAST_GUESSES_LOG10 = 14;

type Pattern = ReturnType<ZxcvbnFactory['check']>['sequence'][number]['pattern'];

const weaknessOf: Readonly<Partial<Record<Pattern, string>>> = {
  dictionary: 'it has common words, names or passwords in it, also if letters are replaced by digits',
  date: 'it has a date or a year in it',
  regex: 'it has a date or a year in it',
  repeat: 'it repeats itself',
  sequence: 'it has a row of letters or digits in it',
  spatial: 'it has a row of neighbouring keys in it',
};

let loading: Promise<ZxcvbnFactory> | undefined;

/**
 * Measures a passphrase on this device; nothing is sent.
 * @param about words that a guesser tries first, for example names of the account
 */
export async function passphraseStrength(typed: string, about: readonly string[] = []): Promise<PassphraseStrength> {
  loading ??= loaded(load()).catch((error) => {
    loading = undefined;
    throw error;
  });
  const factory = await loading;
  const passphrase = readRecoveryPassphrase(typed);
  // The passphrase is also measured without blanks and punctuation. The estimate counts these as secret characters, but
  // a guesser knows where they occur in a phrase.
  const forms = [passphrase, passphrase.replace(/[\s,.;:!?'"-]+/g, '')];
  const checked = forms.map((form) => factory.check(form, ['sealpost', ...about]));
  const { guessesLog10, sequence } = checked.reduce((a, b) => (b.guessesLog10 < a.guessesLog10 ? b : a));
  const found = sequence.flatMap(({ pattern }) => weaknessOf[pattern] ?? []);
  const enough = guessesLog10 >= LEAST_GUESSES_LOG10;
  const weaknesses = enough ? [] : [...new Set(found.length > 0 ? found : ['it is too short'])];
  return { guessesLog10, enough, weaknesses };
}

async function load(): Promise<ZxcvbnFactory> {
  const [core, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  const dictionary = { ...common.dictionary, ...english.dictionary };
  return new core.ZxcvbnFactory({ dictionary, graphs: common.adjacencyGraphs });
}
