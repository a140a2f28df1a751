// Changes the language of a page that is already shown.
import { i18n } from '@lingui/core';
import { catalogs } from './catalogs.ts';
import { CHOSEN, chosenLanguage, type Language } from './languages.ts';
import { showLanguage } from './show-language.ts';

/** Changes the language of the page, and stores the choice. */
export async function changeLanguage(language: Language): Promise<void> {
  await speak(language);
  localStorage.setItem(CHOSEN, language);
}

/** Changes the language of the page to the stored choice, which another tab may have changed. */
export async function followLanguage(): Promise<void> {
  const chosen = chosenLanguage();
  if (chosen !== i18n.locale) await speak(chosen);
}

async function speak(language: Language): Promise<void> {
  const parts = await Promise.all(catalogs[language].map((load) => load()));
  showLanguage(language, Object.assign({}, ...parts.map(({ messages }) => messages)));
}
