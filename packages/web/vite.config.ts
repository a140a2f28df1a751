// Builds the pages: hashed files, compressed beside the originals.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const COMPRESSED = /\.(js|css|html|svg|json|webmanifest)$/;

/** Writes each text file of the build also as brotli and gzip, so that the server compresses nothing. */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir = 'dist' }) {
    for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) =>
      COMPRESSED.test(file),
    )) {
      const bytes = readFileSync(join(dir, name));
      writeFileSync(
        join(dir, `${name}.br`),
        brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      );
      writeFileSync(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    }
  },
});

export default defineConfig({
  plugins: [
    react({ babel: { plugins: ['@lingui/babel-plugin-lingui-macro'] } }),
    lingui({ configPath: join(import.meta.dirname, 'lingui.config.ts') }),
    compressed(),
  ],
  build: {
    target: 'es2023',
    sourcemap: false,
    // Inline data would need exceptions in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
});
