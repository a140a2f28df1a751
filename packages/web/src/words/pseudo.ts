// Words for checks of the layout: the English ones with accents, and longer. They are read from right to left.
import type { Messages } from '@lingui/core';
import { messages as accented } from '../../locales/pseudo.po';

/** How much longer texts become, as some languages are longer than English. */
const MORE = 0.4;
const WORD = 'ẋẋẋẋẋẋẋ ';

const lettersIn = (message: unknown): number => (Array.isArray(message) ? message : [message]).join('').length;

export const messages: Messages = Object.fromEntries(
  Object.entries(accented).map(([id, message]) => {
    const more = Math.ceil(lettersIn(message) * MORE);
    const end = ` ${WORD.repeat(Math.ceil(more / WORD.length))
      .slice(0, more)
      .trimEnd()}`;
    return [id, [...(Array.isArray(message) ? message : [String(message)]), end]];
  }),
);
