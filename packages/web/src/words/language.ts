// The language of the page: chosen by the user, else the browser's. The words of a language are loaded when needed.
import { i18n, type Messages } from '@lingui/core';

export const languages = { en: 'English', ja: '日本語', 'zh-Hant': '繁體中文', th: 'ไทย' } as const;
export type Language = keyof typeof languages | 'pseudo';

type Words = () => Promise<{ messages: Messages }>;

/** The words of each language in two parts: those of the first screen, and all others. The build divides them. */
const catalogs: Record<Language, readonly [first: Words, others: Words]> = {
  en: [() => import('../../locales/en.po'), () => import('../../locales/en.po?lingui')],
  ja: [() => import('../../locales/ja.po'), () => import('../../locales/ja.po?lingui')],
  'zh-Hant': [() => import('../../locales/zh-Hant.po'), () => import('../../locales/zh-Hant.po?lingui')],
  th: [() => import('../../locales/th.po'), () => import('../../locales/th.po?lingui')],
  pseudo: [() => import('./pseudo.ts'), async () => ({ messages: {} })],
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
