// The build of the pages.
import { join } from 'node:path';
import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedFiles, emojiNames, shellFiles } from './build-plugins.ts';
import pack from './package.json' with { type: 'json' };

const here = import.meta.dirname;

export default defineConfig({
  define: { 'import.meta.env.VITE_PAGE_VERSION': JSON.stringify(pack.version) },
  plugins: [
    react({ babel: { plugins: ['@lingui/babel-plugin-lingui-macro'] } }),
    lingui({ configPath: join(here, 'lingui.config.ts') }),
    emojiNames(),
    shellFiles(),
    compressedFiles(),
  ],
  // React has this hook itself, so its stand-in for older versions stays out.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }] },
  build: {
    target: 'es2023',
    // Inline data would need exceptions in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: join(here, 'index.html'), sw: join(here, 'src/service-worker/worker.ts') },
      output: {
        // The service worker has the same address in every build.
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  worker: { format: 'es' },
});
