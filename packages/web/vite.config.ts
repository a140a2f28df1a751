// The build of the pages.
import { join } from 'node:path';
import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { aheadScript, compressedFiles, dividedWords, emojiNames, shellFiles } from './build-plugins.ts';
import pack from './package.json' with { type: 'json' };
import { thirdPartyNotices } from './third-party.ts';

const here = import.meta.dirname;
const notices = thirdPartyNotices();
const serviceWorker = join(here, 'src/service-worker/worker.ts');

const engineWorker = join(here, 'src/chat/client/engine-worker.ts');
const ahead = join(here, 'src/chat/ahead.ts');
/**
 * The modules that `ahead.ts` imports. They get a file of their own, so that `ahead.ts` does not wait for the main
 * script.
 */
const aheadParts = { name: 'catalogs', test: /\/src\/words\/(catalogs|languages)\.ts$|preload-helper/, priority: 1 };

/** The icons of screens that are loaded later get one file. Otherwise each icon that two screens share has a file. */
const icons = { name: 'icons', test: /\/lucide-react\/dist\/esm\/icons\//, minShareCount: 2 };

/** Puts all code that is loaded at first into one file. This needs fewer requests, and one file compresses better. */
const oneFile = (name: string, ...others: readonly string[]) => ({
  groups: [aheadParts, { name, tags: ['$initial' as const], test: (id: string) => !others.includes(id) }, icons],
});

/**
 * The number that lightningcss has for `:dir()`. Without the exclusion, `:dir()` becomes a list of languages, which asks
 * about the language of the page instead of the direction of a text.
 */
const DIR_SELECTOR = 4;

export default defineConfig({
  define: { 'import.meta.env.VITE_PAGE_VERSION': JSON.stringify(pack.version) },
  plugins: [
    react({ babel: { plugins: ['@lingui/babel-plugin-lingui-macro'] } }),
    lingui({ configPath: join(here, 'lingui.config.ts') }),
    dividedWords(),
    emojiNames(),
    aheadScript(),
    notices.pages,
    shellFiles(),
    compressedFiles(),
  ],
  // React has this hook itself. So the replacement for older versions of React is left out.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }] },
  css: { lightningcss: { exclude: DIR_SELECTOR } },
  build: {
    target: 'es2023',
    // Inline data would need exceptions in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: join(here, 'index.html'), ahead, sw: serviceWorker },
      output: {
        codeSplitting: oneFile('index', serviceWorker, ahead),
        // The service worker has the same address in every build.
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        chunkFileNames: ({ facadeModuleId }) =>
          facadeModuleId?.endsWith('.po?lingui') ? 'assets/[name]-others-[hash].js' : 'assets/[name]-[hash].js',
      },
    },
  },
  worker: {
    format: 'es',
    plugins: () => [notices.worker],
    rolldownOptions: { output: { codeSplitting: oneFile('engine', engineWorker) } },
  },
});
