// Compares texts that people typed.

/** Returns a text in which different ways to write one thing are alike: case, width, and how accents are composed. */
export const folded = (text: string): string => text.normalize('NFKC').toLocaleLowerCase();
