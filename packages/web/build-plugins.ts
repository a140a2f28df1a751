// Plugins for the build of the pages. They compress files, add the names of emoji, and divide the words of each
// language in two parts. One tells the service worker which files to cache.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

const COMPRESSED = /\.(js|css|html|svg|json|txt|webmanifest)$/;
const WORKER = 'sw.js';

/**
 * Writes a brotli and a gzip copy beside each text file of the build, so that the server need not compress anything.
 */
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

/** Inserts the script `ahead.ts` into the page, before the main script. */
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

/** Writes the names and search words of emoji beside the pages. The emoji picker loads those of the page's language. */
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

/**
 * Matches a module with the words of a language. The query `?lingui` stands for the words that are not needed at first.
 */
const WORDS = /\/locales\/[^/]+\.po(\?lingui)?$/;
const CATALOG = /(?<=JSON\.parse\()".*"(?=\))/s;

/**
 * Divides the words of each language in two modules: words used by the code that is loaded at first, and all others.
 */
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

/** Returns the name of a file and the names of all files that it imports, also indirectly. */
function withImports(files: Chunks, name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const imported of files[name]?.imports ?? []) withImports(files, imported, found);
  return found;
}

/**
 * Maximum length of a file that the service worker caches ahead. Only dictionaries are longer. They serve to judge the
 * strength of a passphrase, and are fetched when somebody chooses one.
 */
const LARGEST_PART = 400_000;

/**
 * Tells the service worker which files to cache when it is installed: all code and styles. So every screen opens
 * without a connection. Words are not in the list: the service worker caches them when the page loads them.
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
  // The build treats the code of a web worker as an asset, not as a chunk.
  const { length } = file.type === 'chunk' ? file.code : file.source;
  const isWords = file.type === 'chunk' && file.moduleIds.some((id) => WORDS.test(id));
  return /^assets\/.*\.(js|css)$/.test(file.fileName) && !isWords && length < LARGEST_PART;
}
