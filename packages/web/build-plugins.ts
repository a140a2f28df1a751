// What the build of the pages does beside Vite: compressed files, names of emoji, and the list of files that the service
// worker keeps.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

const COMPRESSED = /\.(js|css|html|svg|json|webmanifest)$/;
const WORKER = 'sw.js';

/** Writes each text file of the build also as brotli and gzip, so that the server compresses nothing. */
export const compressedFiles = (): Plugin => ({
  name: 'compressed-files',
  apply: 'build',
  writeBundle({ dir = 'dist' }) {
    for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) =>
      COMPRESSED.test(file),
    )) {
      const bytes = readFileSync(join(dir, name));
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(bytes, { params }));
      writeFileSync(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    }
  },
});

const EMOJI_LANGUAGES = ['en', 'ja', 'th', 'zh-hant'];

/** Puts the names and search words of emoji beside the pages. The picker loads those of its language. */
export const emojiNames = (): Plugin => ({
  name: 'emoji-names',
  apply: 'build',
  generateBundle() {
    const folder = dirname(fileURLToPath(import.meta.resolve('emojibase-data/package.json')));
    for (const name of EMOJI_LANGUAGES.flatMap((language) => [`${language}/data.json`, `${language}/messages.json`])) {
      const source = JSON.stringify(JSON.parse(readFileSync(join(folder, name), 'utf8')));
      this.emitFile({ type: 'asset', fileName: `emoji/${name}`, source });
    }
  },
});

/**
 * Tells the service worker which files the page needs without a connection: the entry with all that it imports, the
 * screen of a chat, and the engine.
 */
export const shellFiles = (): Plugin => ({
  name: 'shell-files',
  apply: 'build',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const worker = bundle[WORKER];
    if (worker?.type !== 'chunk') throw new Error(`the build has no ${WORKER}`);
    const files = ['/', '/icon.svg', ...[...firstFiles(bundle)].map((name) => `/${name}`)];
    const id = createHash('sha256').update(Object.keys(bundle).sort().join('\n')).digest('hex').slice(0, 12);
    worker.code = worker.code
      .replaceAll('SHELL_FILES', JSON.stringify(files))
      .replaceAll('BUILD_ID', JSON.stringify(id));
  },
});

function firstFiles(bundle: Rolldown.OutputBundle): Set<string> {
  const found = new Set<string>();
  const entries = Object.values(bundle).filter(
    (file) => file.type === 'chunk' && file.isEntry && file.name === 'index',
  );
  const add = (name: string): void => {
    const file = bundle[name];
    if (found.has(name) || !file) return;
    found.add(name);
    if (file.type !== 'chunk') return;
    for (const imported of file.imports) add(imported);
    for (const style of file.viteMetadata?.importedCss ?? []) found.add(style);
  };
  for (const { fileName } of entries) add(fileName);
  // Workers are files of their own in the build. Chats open without a connection, too.
  for (const name of Object.keys(bundle)) if (/^assets\/(engine|conversation-screen)-.*\.js$/.test(name)) add(name);
  return found;
}
