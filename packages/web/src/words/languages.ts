// The languages of the pages, and the choice of a language for the user.

export const languages = { en: 'English', ja: '日本語', 'zh-Hant': '繁體中文', th: 'ไทย' } as const;
const known = [...Object.keys(languages), 'pseudo'];
export type Language = keyof typeof languages | 'pseudo';

/** The key in `localStorage` under which the chosen language is stored. */
export const CHOSEN = 'sealpost-language';

const isLanguage = (name: string): name is Language => known.includes(name);

/** Returns the language of the pages that best matches the preferred languages of a browser. */
export function bestLanguage(preferred: readonly string[]): Language {
  for (const name of preferred) {
    if (isLanguage(name)) return name;
    const { language, script, region } = localeOf(name);
    if (language === 'zh' && (script === 'Hant' || region === 'TW' || region === 'HK')) return 'zh-Hant';
    if (language && isLanguage(language)) return language;
  }
  return 'en';
}

/** Returns the parts of a locale. Some systems have a locale `C`, which has no parts. */
function localeOf(name: string): Partial<Intl.Locale> {
  try {
    return new Intl.Locale(name).maximize();
  } catch {
    return {};
  }
}

export const chosenLanguage = (): Language => {
  const chosen = localStorage.getItem(CHOSEN) ?? '';
  return isLanguage(chosen) ? chosen : bestLanguage(navigator.languages);
};

/** Returns the locale for `Intl` that corresponds to a language of the page. */
export const intlLocale = (locale: string): string => (locale === 'pseudo' ? 'en' : locale);
