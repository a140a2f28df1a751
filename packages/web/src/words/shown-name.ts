// Makes names and lines that other people wrote safe to show inside sentences of the page.

/** Invisible characters that change the direction of the text beside them, or end such a change. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/gu;
/** Matches a text of only invisible characters, which nobody could see or click. */
const INVISIBLE = /^[\s\p{C}\p{M}\u115f\u1160\u2800\u3164\uffa0]*$/u;

/** Returns a text without the characters that could change the direction of the sentence around it. */
export const withoutTurns = (text: string): string => text.replace(TURNS, '');

/**
 * Matches the beginning of a tag. Translated sentences contain tags, and the library looks for tags after it has
 * inserted names. So a name must not contain one.
 */
const TAG = /<(?=[/a-z0-9])/giu;
/** An invisible character that allows no line break. After a `<`, it keeps the library from seeing a tag. */
const JOINER = '\u2060';

/** Maximum number of shown characters of a name. Another server may allow names that would fill the screen. */
const MOST = 64;

/**
 * Returns a name in a form that cannot change or fill the sentence around it; an empty text if the name is invisible.
 */
export function shownName(name: string): string {
  const characters = [...withoutTurns(name)];
  const plain = characters.length > MOST ? `${characters.slice(0, MOST).join('')}…` : characters.join('');
  return INVISIBLE.test(plain) ? '' : plain.replace(TAG, `<${JOINER}`);
}
