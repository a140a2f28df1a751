// The build of the administration pages: an entry of its own in a folder of its own. Nothing of it gets into the
// messenger.
import { join } from 'node:path';
import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedFiles } from './build-plugins.ts';
import { thirdPartyNotices } from './third-party.ts';

const here = import.meta.dirname;

export default defineConfig({
  root: join(here, 'src/admin'),
  base: '/admin/',
  publicDir: false,
  plugins: [
    react({ babel: { plugins: ['@lingui/babel-plugin-lingui-macro'] } }),
    lingui({ configPath: join(here, 'lingui.config.ts') }),
    thirdPartyNotices().pages,
    compressedFiles(),
  ],
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }] },
  build: {
    target: 'es2023',
    outDir: join(here, 'dist-admin'),
    emptyOutDir: true,
    // Inline data would need exceptions in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One file for all that is loaded at first needs fewer requests.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'index', tags: ['$initial'] }] } } },
  },
});
