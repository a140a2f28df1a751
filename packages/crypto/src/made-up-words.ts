// Made-up words that everybody can say and write down. Each word has five letters, which hold 16 bits: consonant,
// vowel, consonant, vowel, consonant. Letters that look alike are left out.

const CONSONANTS = 'bdfghjklmnprstvz';
const VOWELS = 'aiou';

/** Returns one word for every two bytes. */
export const wordsOf = (bytes: Uint8Array): string[] =>
  Array.from({ length: bytes.length / 2 }, (_, at) => wordOf((bytes[2 * at] ?? 0) * 256 + (bytes[2 * at + 1] ?? 0)));

function wordOf(bits: number): string {
  const consonant = (shift: number) => CONSONANTS[(bits >> shift) & 15];
  const vowel = (shift: number) => VOWELS[(bits >> shift) & 3];
  return `${consonant(12)}${vowel(10)}${consonant(6)}${vowel(4)}${consonant(0)}`;
}
