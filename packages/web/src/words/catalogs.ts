// The modules with the texts of the messenger, for each language.
import type { Messages } from '@lingui/core';
import type { Language } from './languages.ts';

type Words = () => Promise<{ messages: Messages }>;

/** Loads the texts of each language in two parts: those of the first screen, and all others. The build divides them. */
export const catalogs: Record<Language, readonly [first: Words, others: Words]> = {
  en: [() => import('../../locales/en.po'), () => import('../../locales/en.po?lingui')],
  ja: [() => import('../../locales/ja.po'), () => import('../../locales/ja.po?lingui')],
  'zh-Hant': [() => import('../../locales/zh-Hant.po'), () => import('../../locales/zh-Hant.po?lingui')],
  th: [() => import('../../locales/th.po'), () => import('../../locales/th.po?lingui')],
  pseudo: [() => import('./pseudo.ts'), async () => ({ messages: {} })],
};
