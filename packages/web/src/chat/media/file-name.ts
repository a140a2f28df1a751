// Makes file names safe to use, because other people chose them.

/** Matches the ending of a file name with its dot. */
export const ENDING = /\.[\w-]{1,10}$/u;
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
  const ending = ENDING.exec(clean)?.[0] ?? '';
  return clean.slice(0, LONGEST - ending.length) + ending;
}
