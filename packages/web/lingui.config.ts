// The languages of the pages, and the files with their words: one catalog for the messenger, and one for the
// administration pages.
import { defineConfig } from '@lingui/cli';

const administration = 'src/admin';

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'ja', 'zh-Hant', 'th', 'pseudo'],
  pseudoLocale: 'pseudo',
  fallbackLocales: { default: 'en' },
  // Without line numbers, so that an edit of the code does not change the catalogs.
  formatOptions: { lineNumbers: false },
  catalogs: [
    { path: '<rootDir>/locales/{locale}', include: ['src'], exclude: [`${administration}/**`] },
    { path: '<rootDir>/locales/admin/{locale}', include: [administration] },
  ],
});
