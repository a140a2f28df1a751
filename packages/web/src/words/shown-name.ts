// Names and lines that others wrote, as the page shows them among words of its own.

/** Signs that turn the direction of what stands beside them, or end such a turn. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/gu;
/** Only signs that leave no ink, so that there would be nothing to see or to click. */
const INVISIBLE = /^[\s\p{C}\p{M}\u115f\u1160\u2800\u3164\uffa0]*$/u;

/** Returns a text whose signs cannot turn the sentence around it. */
export const withoutTurns = (text: string): string => text.replace(TURNS, '');

/**
 * What looks like the beginning of a tag. Sentences of the page have tags for their parts, and the library that fills in
 * names looks for tags afterwards.
 */
const TAG = /<(?=[/a-z0-9])/giu;
/** A sign without ink that keeps two others together. */
const JOINER = '\u2060';

/** More characters than this server lets a name have. Another server may let it fill the screen. */
const MOST = 64;

/** Returns a name that cannot change the sentence around it, nor fill it; an empty text if nobody could see it. */
export function shownName(name: string): string {
  const characters = [...withoutTurns(name)];
  const plain = characters.length > MOST ? `${characters.slice(0, MOST).join('')}…` : characters.join('');
  return INVISIBLE.test(plain) ? '' : plain.replace(TAG, `<${JOINER}`);
}
