// Shows the page in its first language, and loads the texts of that language.
import { i18n } from '@lingui/core';
import { catalogs } from './catalogs.ts';
import type { Language } from './languages.ts';
import { showLanguage } from './show-language.ts';

let everything: Promise<void> | undefined;

/** Returns a promise that resolves when all texts are loaded. Parts of the page that are loaded later wait for it. */
export const allWords = (): Promise<void> | undefined => everything;

/** Shows the page in a language. Resolves when the texts of the first screen are loaded; the other texts follow. */
export async function beginLanguage(language: Language): Promise<void> {
  const [first, others] = catalogs[language];
  showLanguage(language, (await first()).messages);
  everything = others().then(({ messages }) => i18n.load(language, messages));
  // A failure reaches the code that waits for `allWords`. Without this line it would also be reported as unhandled.
  everything.catch(() => undefined);
}
