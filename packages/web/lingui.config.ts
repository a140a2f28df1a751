// The languages of the page, and where their words are.
import { defineConfig } from '@lingui/cli';

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'ja', 'zh-Hant', 'th', 'pseudo'],
  pseudoLocale: 'pseudo',
  fallbackLocales: { default: 'en' },
  // Without line numbers, so that an edit of the code does not change the catalogs.
  formatOptions: { lineNumbers: false },
  catalogs: [{ path: '<rootDir>/locales/{locale}', include: ['src'] }],
});
