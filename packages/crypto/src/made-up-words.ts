// Made-up words that everybody can say and write down: five letters for 16 bits, as consonant, vowel, consonant, vowel,
// consonant, without letters that look alike.

const CONSONANTS = 'bdfghjklmnprstvz';
const VOWELS = 'aiou';

/** One word for every two bytes. */
export const wordsOf = (bytes: Uint8Array): string[] =>
  Array.from({ length: bytes.length / 2 }, (_, at) => wordOf((bytes[2 * at] ?? 0) * 256 + (bytes[2 * at + 1] ?? 0)));

function wordOf(bits: number): string {
  const consonant = (shift: number) => CONSONANTS[(bits >> shift) & 15];
  const vowel = (shift: number) => VOWELS[(bits >> shift) & 3];
  return `${consonant(12)}${vowel(10)}${consonant(6)}${vowel(4)}${consonant(0)}`;
}
