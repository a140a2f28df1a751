// Passphrases that nobody guesses and everybody can write down: six made-up words of five letters, 96 random bits. Each
// word is 16 bits as consonant, vowel, consonant, vowel, consonant, without letters that look alike.
import { type RandomBytes, randomBytes } from '../bytes.ts';

const CONSONANTS = 'bdfghjklmnprstvz';
const VOWELS = 'aiou';
const WORDS = 6;
const MADE_HERE = /^[a-z]{5}(?:[\s,.-]+[a-z]{5}){5}$/i;

/** @param random given only by tests */
export function createRecoveryPassphrase(random: RandomBytes = randomBytes): string {
  const bytes = random(WORDS * 2);
  return Array.from({ length: WORDS }, (_, at) => wordOf((bytes[2 * at] ?? 0) * 256 + (bytes[2 * at + 1] ?? 0))).join(
    ' ',
  );
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

function wordOf(bits: number): string {
  const consonant = (shift: number) => CONSONANTS[(bits >> shift) & 15];
  const vowel = (shift: number) => VOWELS[(bits >> shift) & 3];
  return `${consonant(12)}${vowel(10)}${consonant(6)}${vowel(4)}${consonant(0)}`;
}
