// The language of the page: chosen by the user, else the browser's. The words of a language are loaded when needed.
import { i18n, type Messages } from '@lingui/core';

export const languages = { en: 'English', ja: '日本語', 'zh-Hant': '繁體中文', th: 'ไทย' } as const;
export type Language = keyof typeof languages | 'pseudo';

const catalogs: Record<Language, () => Promise<{ messages: Messages }>> = {
  en: () => import('../../locales/en.po'),
  ja: () => import('../../locales/ja.po'),
  'zh-Hant': () => import('../../locales/zh-Hant.po'),
  th: () => import('../../locales/th.po'),
  pseudo: () => import('../../locales/pseudo.po'),
};

const CHOSEN = 'sealpost-language';

const isLanguage = (name: string): name is Language => name in catalogs;

/** Returns the language that fits best what a browser prefers. */
export function bestLanguage(preferred: readonly string[]): Language {
  for (const name of preferred) {
    if (isLanguage(name)) return name;
    const { language, script, region } = new Intl.Locale(name).maximize();
    if (language === 'zh' && (script === 'Hant' || region === 'TW' || region === 'HK')) return 'zh-Hant';
    if (isLanguage(language)) return language;
  }
  return 'en';
}

export const chosenLanguage = (): Language => {
  const chosen = localStorage.getItem(CHOSEN) ?? '';
  return isLanguage(chosen) ? chosen : bestLanguage(navigator.languages);
};

export async function setLanguage(language: Language, remember = false): Promise<void> {
  const { messages } = await catalogs[language]();
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language === 'pseudo' ? 'en-XA' : language;
  document.documentElement.dir = language === 'pseudo' ? 'rtl' : 'ltr';
  if (remember) localStorage.setItem(CHOSEN, language);
}

/** The name of the language for Intl. */
export const intlLocale = (locale: string): string => (locale === 'pseudo' ? 'en' : locale);
