// The build of the inspector: a page of its own in a folder of its own, which only servers of development show. Nothing
// of it gets into the messenger.
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedFiles } from './build-plugins.ts';
import { thirdPartyNotices } from './third-party.ts';

const here = import.meta.dirname;

export default defineConfig({
  root: join(here, 'src/inspect'),
  base: '/inspect/',
  publicDir: false,
  plugins: [react(), thirdPartyNotices().pages, compressedFiles()],
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }] },
  build: {
    target: 'es2023',
    outDir: join(here, 'dist-inspect'),
    emptyOutDir: true,
    // Inline data would need exceptions in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
