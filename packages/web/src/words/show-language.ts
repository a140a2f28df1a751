// Shows a page in a language whose texts are already loaded.
import { i18n, type Messages } from '@lingui/core';
import type { Language } from './languages.ts';

export function showLanguage(locale: Language, messages: Messages): void {
  i18n.loadAndActivate({ locale, messages });
  document.documentElement.lang = locale === 'pseudo' ? 'en-XA' : locale;
  document.documentElement.dir = locale === 'pseudo' ? 'rtl' : 'ltr';
}
