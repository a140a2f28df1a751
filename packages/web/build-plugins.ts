// What the build of the pages does beside Vite: compressed files, names of emoji, words in two parts, and the list of
// files that the service worker keeps.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

const COMPRESSED = /\.(js|css|html|svg|json|txt|webmanifest)$/;
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

/** Puts the script that loads things ahead into the page, before the main script. */
export const aheadScript = (): Plugin => ({
  name: 'ahead-script',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const file = Object.values(bundle).find((one) => one.type === 'chunk' && one.isEntry && one.name === 'ahead');
      if (!file) throw new Error('the build has no script that loads things ahead');
      return [{ tag: 'script', attrs: { type: 'module', src: `/${file.fileName}` }, injectTo: 'head-prepend' }];
    },
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
      const originalFileName = join(folder, name);
      const source = JSON.stringify(JSON.parse(readFileSync(originalFileName, 'utf8')));
      this.emitFile({ type: 'asset', fileName: `emoji/${name}`, originalFileName, source });
    }
  },
});

/** A module with the words of a language. The one with the query is for all words that the first screen does not need. */
const WORDS = /\/locales\/[^/]+\.po(\?lingui)?$/;
const CATALOG = /(?<=JSON\.parse\()".*"(?=\))/s;

/** Divides the words of each language: those in the code that the page loads at first, and all others. */
export function dividedWords(): Plugin {
  let first: string | undefined;
  return {
    name: 'divided-words',
    renderStart() {
      first = undefined;
    },
    apply: 'build',
    renderChunk(code, { facadeModuleId }, _options, meta) {
      const words = WORDS.exec(facadeModuleId ?? '');
      if (!words) return null;
      first ??= firstCode(meta.chunks);
      const [catalog] = CATALOG.exec(code) ?? [];
      if (catalog === undefined) throw new Error(`the words of ${facadeModuleId} cannot be divided`);
      const all = Object.entries(JSON.parse(JSON.parse(catalog)));
      const isOther = words[1] !== undefined;
      const kept = all.filter(([id]) => first.includes(`"${id}"`) !== isOther);
      return code.replace(CATALOG, () => JSON.stringify(JSON.stringify(Object.fromEntries(kept))));
    },
  };
}

type Chunks = Readonly<Record<string, Rolldown.RenderedChunk>>;

/** Returns the code of all modules that the page loads at first. */
function firstCode(chunks: Chunks): string {
  const entry = Object.values(chunks).find(({ isEntry, name }) => isEntry && name === 'index');
  const modules = [...withImports(chunks, entry?.fileName ?? '')].flatMap((name) =>
    Object.values(chunks[name]?.modules ?? {}),
  );
  return modules.map(({ code }) => code ?? '').join('\n');
}

/** Returns the names of a file and of all that it imports. */
function withImports(files: Chunks, name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const imported of files[name]?.imports ?? []) withImports(files, imported, found);
  return found;
}

/** Files beyond this are dictionaries for the strength of passphrases. They are fetched where one is chosen. */
const LARGEST_PART = 400_000;

/**
 * Tells the service worker which files the page needs without a connection: all code and styles. What a person opens
 * then comes from this device, too. Words are kept when they are loaded, in the languages that are used.
 */
export const shellFiles = (): Plugin => ({
  name: 'shell-files',
  apply: 'build',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const worker = bundle[WORKER];
    if (worker?.type !== 'chunk') throw new Error(`the build has no ${WORKER}`);
    const parts = Object.values(bundle).filter(isPart);
    const files = ['/', '/icon.svg', ...parts.map(({ fileName }) => `/${fileName}`)];
    const id = createHash('sha256').update(Object.keys(bundle).sort().join('\n')).digest('hex').slice(0, 12);
    worker.code = worker.code
      .replaceAll('SHELL_FILES', JSON.stringify(files))
      .replaceAll('BUILD_ID', JSON.stringify(id));
  },
});

function isPart(file: Rolldown.OutputChunk | Rolldown.OutputAsset): boolean {
  // Workers are assets of the build.
  const { length } = file.type === 'chunk' ? file.code : file.source;
  const isWords = file.type === 'chunk' && file.moduleIds.some((id) => WORDS.test(id));
  return /^assets\/.*\.(js|css)$/.test(file.fileName) && !isWords && length < LARGEST_PART;
}
