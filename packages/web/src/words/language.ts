// Shows the page in a language. The words of a language are loaded when needed.
import { i18n, type Messages } from '@lingui/core';
import { CHOSEN, catalogs, type Language } from './catalogs.ts';

let everything: Promise<void> | undefined;

/** Resolves when all words are there. Parts of the page that are loaded later wait for it. */
export const allWords = (): Promise<void> | undefined => everything;

/** Shows the page in a language. Resolves when the words of the first screen are there; the others follow. */
export async function beginLanguage(language: Language): Promise<void> {
  const [first, others] = catalogs[language];
  show(language, (await first()).messages);
  everything = others().then(({ messages }) => i18n.load(language, messages));
  // Whoever waits for them hears of a failure.
  everything.catch(() => undefined);
}

/** Changes the language of the page, and remembers it. */
export async function changeLanguage(language: Language): Promise<void> {
  const parts = await Promise.all(catalogs[language].map((load) => load()));
  show(language, Object.assign({}, ...parts.map(({ messages }) => messages)));
  localStorage.setItem(CHOSEN, language);
}

function show(locale: Language, messages: Messages): void {
  i18n.loadAndActivate({ locale, messages });
  document.documentElement.lang = locale === 'pseudo' ? 'en-XA' : locale;
  document.documentElement.dir = locale === 'pseudo' ? 'rtl' : 'ltr';
}

/** The name of the language for Intl. */
export const intlLocale = (locale: string): string => (locale === 'pseudo' ? 'en' : locale);
