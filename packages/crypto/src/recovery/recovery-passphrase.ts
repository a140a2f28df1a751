// Passphrases that nobody can guess and everybody can write down: six made-up words, which hold 96 random bits.
import { type RandomBytes, randomBytes } from '../bytes.ts';
import { wordsOf } from '../made-up-words.ts';

const WORDS = 6;
const MADE_HERE = /^[a-z]{5}(?:[\s,.-]+[a-z]{5}){5}$/i;

/** @param random source of random bytes; given only by tests */
export function createRecoveryPassphrase(random: RandomBytes = randomBytes): string {
  return wordsOf(random(WORDS * 2)).join(' ');
}

/**
 * Returns the passphrase that the user meant, without spaces around it. A text in the form of
 * `createRecoveryPassphrase` is returned in lower case with single spaces.
 */
export function readRecoveryPassphrase(typed: string): string {
  const text = typed.trim();
  return MADE_HERE.test(text)
    ? text
        .toLowerCase()
        .split(/[^a-z]+/)
        .join(' ')
    : text;
}
