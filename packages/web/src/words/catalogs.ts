// The languages that the page speaks, where their words are, and which of them the user reads.
import type { Messages } from '@lingui/core';

export const languages = { en: 'English', ja: '日本語', 'zh-Hant': '繁體中文', th: 'ไทย' } as const;
export type Language = keyof typeof languages | 'pseudo';

type Words = () => Promise<{ messages: Messages }>;

/** The words of each language in two parts: those of the first screen, and all others. The build divides them. */
export const catalogs: Record<Language, readonly [first: Words, others: Words]> = {
  en: [() => import('../../locales/en.po'), () => import('../../locales/en.po?lingui')],
  ja: [() => import('../../locales/ja.po'), () => import('../../locales/ja.po?lingui')],
  'zh-Hant': [() => import('../../locales/zh-Hant.po'), () => import('../../locales/zh-Hant.po?lingui')],
  th: [() => import('../../locales/th.po'), () => import('../../locales/th.po?lingui')],
  pseudo: [() => import('./pseudo.ts'), async () => ({ messages: {} })],
};

/** Where the user's choice is kept in `localStorage`. */
export const CHOSEN = 'sealpost-language';

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
