// Passphrases that nobody guesses and everybody can write down: six made-up words, 96 random bits.
import { type RandomBytes, randomBytes } from '../bytes.ts';
import { wordsOf } from '../made-up-words.ts';

const WORDS = 6;
const MADE_HERE = /^[a-z]{5}(?:[\s,.-]+[a-z]{5}){5}$/i;

/** @param random given only by tests */
export function createRecoveryPassphrase(random: RandomBytes = randomBytes): string {
  return wordsOf(random(WORDS * 2)).join(' ');
}

/**
 * The passphrase that was meant: no spaces around it, and, if it has the form of those that are made here, in small
 * letters with single spaces, however it was copied from paper.
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
