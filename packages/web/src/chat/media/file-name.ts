// Makes file names safe to use, because other people chose them.

const LONGEST = 120;
const SEPARATORS = /[\\/:*?"<>|]/gu;
/**
 * Invisible characters. Some of them change the direction of text, so that a file's ending looks like another ending.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu;

/**
 * Returns a name under which a file can be stored and shown: without folders, invisible characters, or dots at the
 * start.
 */
export function safeFileName(name: string | undefined, otherwise: string): string {
  const last = (name ?? '').replace(HIDDEN, '').split(/[\\/]/u).at(-1) ?? '';
  const clean = last.replace(SEPARATORS, '_').replace(/^[.\s]+|[.\s]+$/gu, '');
  if (clean.length <= LONGEST) return clean || otherwise;
  const ending = endingOf(clean);
  return clean.slice(0, LONGEST - ending.length) + ending;
}

const endingOf = (name: string): string => /\.[\w-]{1,10}$/u.exec(name)?.[0] ?? '';

/** How many characters before the ending stay in view, for example the 2 of "plan-final-2.pdf". */
const KEPT = 5;

/**
 * Divides a name of a file into a part that may be shortened and a part that stays in view. The second part is the
 * ending with some characters before it, which often have a number.
 */
export function nameParts(name: string): readonly [start: string, end: string] {
  const ending = endingOf(name);
  const stem = [...new Intl.Segmenter().segment(name.slice(0, name.length - ending.length))].map(
    ({ segment }) => segment,
  );
  // A short name is not divided, so that it cannot lose a character.
  const kept = stem.length > 2 * KEPT ? KEPT : 0;
  const start = stem.slice(0, stem.length - kept).join('');
  return [start, name.slice(start.length)];
}
