// The texts of the administration pages in each language.
import type { Messages } from '@lingui/core';
import { CHOSEN, type Language } from '../words/languages.ts';
import { showLanguage } from '../words/show-language.ts';

const catalogs: Record<Language, () => Promise<{ messages: Messages }>> = {
  en: () => import('../../locales/admin/en.po'),
  ja: () => import('../../locales/admin/ja.po'),
  'zh-Hant': () => import('../../locales/admin/zh-Hant.po'),
  th: () => import('../../locales/admin/th.po'),
  pseudo: () => import('./pseudo.ts'),
};

export async function beginLanguage(language: Language): Promise<void> {
  showLanguage(language, (await catalogs[language]()).messages);
}

/**
 * Changes the language of the pages, and stores the choice. The messenger in the same browser then has the same
 * language.
 */
export async function changeLanguage(language: Language): Promise<void> {
  await beginLanguage(language);
  localStorage.setItem(CHOSEN, language);
}
