// Splits a command into words, as a POSIX shell does. Variables and substitutions stay as they are written.

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b', f: '\f', v: '\v' };

/** A piece of a command: a quoted part, an escaped character, spaces, or plain text. */
const PIECES =
  /\$'((?:[^'\\]|\\[\s\S])*)'|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\\r?\n|\\([\s\S])|(\s+)|([^\s'"\\$]+|\$)/g;

/** Returns the words of a command. */
export function shellWords(command: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [, ansi, single, double, escaped, space, plain] of command.matchAll(PIECES)) {
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    const text =
      ansi !== undefined ? ofAnsi(ansi) : (single ?? double?.replace(/\\(["\\$`])|\\\n/g, '$1') ?? escaped ?? plain);
    // A backslash at the end of a line joins two lines, and is not a part of a word.
    if (text !== undefined) word = (word ?? '') + text;
  }
  return word === undefined ? words : [...words, word];
}

/** Returns the text inside of `$'…'`. */
const ofAnsi = (text: string): string =>
  text.replace(/\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|([0-7]{1,3})|([\s\S]))/gi, (_, hex, unicode, octal, other) => {
    if (hex ?? unicode) return String.fromCodePoint(Number.parseInt(hex ?? unicode, 16));
    if (octal) return String.fromCodePoint(Number.parseInt(octal, 8));
    return ESCAPES[other] ?? other;
  });
