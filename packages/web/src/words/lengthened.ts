// Makes the texts of the test language `pseudo`, which is used to check the layout. They are the English texts with
// accents, lengthened, and shown from right to left.
import type { Messages } from '@lingui/core';

/**
 * The amount that is added to a text, as a fraction of its length, because texts of some languages are longer than
 * English.
 */
const MORE = 0.4;
const WORD = 'ẋẋẋẋẋẋẋ ';

const lettersIn = (message: unknown): number => (Array.isArray(message) ? message : [message]).join('').length;

/** Returns texts that are lengthened, because translations may be longer. */
export const lengthened = (accented: Messages): Messages =>
  Object.fromEntries(
    Object.entries(accented).map(([id, message]) => {
      const more = Math.ceil(lettersIn(message) * MORE);
      const end = ` ${WORD.repeat(Math.ceil(more / WORD.length))
        .slice(0, more)
        .trimEnd()}`;
      return [id, [...(Array.isArray(message) ? message : [String(message)]), end]];
    }),
  );
