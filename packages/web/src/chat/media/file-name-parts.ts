// Divides file names for places where they may be shortened.
import { ENDING } from './file-name.ts';

/** How many characters before the ending stay in view, for example the 2 of "plan-final-2.pdf". */
const KEPT = 5;

/**
 * Divides a name of a file into a part that may be shortened and a part that stays in view. The second part is the
 * ending with some characters before it, which often have a number.
 */
export function nameParts(name: string): readonly [start: string, end: string] {
  const ending = ENDING.exec(name)?.[0] ?? '';
  const stem = [...new Intl.Segmenter().segment(name.slice(0, name.length - ending.length))].map(
    ({ segment }) => segment,
  );
  // A short name is not divided, so that it cannot lose a character.
  const kept = stem.length > 2 * KEPT ? KEPT : 0;
  const start = stem.slice(0, stem.length - kept).join('');
  return [start, name.slice(start.length)];
}
