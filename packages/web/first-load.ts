// Finds the JavaScript that a browser loads at the start, in two steps. The first step ends when the list of chats is
// shown and the engine can seal and open messages. The second one ends when the first chat is shown.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

export interface LoadedFile {
  readonly name: string;
  readonly code: string;
  /** The size in bytes after `gzip -9`. */
  readonly gzipped: number;
}

const AHEAD_STARTS = { ahead: /^assets\/ahead-.{8}\.js$/ } as const;
/** The names of the files that the browser loads first. Their static imports are loaded with them. */
const STARTS = {
  page: /^assets\/index-.{8}\.js$/,
  words: /^assets\/en-.{8}\.js$/,
  engine: /^assets\/engine-worker-.{8}\.js$/,
  checks: /^assets\/key-checks-.{8}\.js$/,
} as const;
const CHAT_STARTS = {
  screen: /^assets\/conversation-screen-.{8}\.js$/,
  words: /^assets\/en-others-.{8}\.js$/,
} as const;
const STATIC_IMPORT = /(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g;

export interface PageLoad {
  /** The small script that runs before the main script, with its imports. These files are also in `first`. */
  readonly ahead: readonly LoadedFile[];
  /** The JavaScript until the list of chats is shown, the largest file first. */
  readonly first: readonly LoadedFile[];
  /** The JavaScript that is loaded in addition until the first chat is shown. */
  readonly chat: readonly LoadedFile[];
}

/** Builds the pages in memory, and returns the files that a browser loads at the start. */
export async function pageLoad(): Promise<PageLoad> {
  const files = await builtFiles();
  const loaded = new Map<string, LoadedFile>();
  const add = (name: string): void => {
    if (loaded.has(name)) return;
    const code = files.get(name);
    if (code === undefined) throw new Error(`the build has no ${name}, which another file imports`);
    loaded.set(name, { name, code, gzipped: gzipSync(code, { level: 9 }).length });
    for (const [, imported] of code.matchAll(STATIC_IMPORT)) add(`assets/${imported}`);
  };
  const load = (starts: Readonly<Record<string, RegExp>>): LoadedFile[] => {
    const before = new Set(loaded.keys());
    for (const [part, start] of Object.entries(starts)) {
      const found = [...files.keys()].filter((name) => start.test(name));
      if (found.length !== 1) throw new Error(`the ${part} begins with one file, the build has: ${found.join(', ')}`);
      found.forEach(add);
    }
    return [...loaded.values()].filter(({ name }) => !before.has(name)).sort(largestFirst);
  };
  const ahead = load(AHEAD_STARTS);
  return { ahead, first: [...ahead, ...load(STARTS)].sort(largestFirst), chat: load(CHAT_STARTS) };
}

const largestFirst = (a: LoadedFile, b: LoadedFile): number => b.gzipped - a.gzipped;

async function builtFiles(): Promise<Map<string, string>> {
  const root = import.meta.dirname;
  const configFile = join(root, 'vite.config.ts');
  // The lingui plugin looks for its settings in the current folder.
  process.chdir(root);
  const built = await build({ root, configFile, logLevel: 'silent', build: { write: false } });
  if (!('output' in built)) throw new TypeError('the build of the pages has several results, or none');
  return new Map(built.output.map((file) => [file.fileName, String(file.type === 'chunk' ? file.code : file.source)]));
}
