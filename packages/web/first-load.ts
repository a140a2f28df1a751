// What a browser loads until the first sealed message is sent: the page with its words, and the engine with the checks
// of keys. Parts that the page fetches when they are first shown are not in it.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

export interface LoadedFile {
  readonly name: string;
  /** The size in bytes after `gzip -9`. */
  readonly gzipped: number;
}

/** The files with which the parts of a first load begin. What they import statically is loaded with them. */
const STARTS = {
  page: /^assets\/index-[^/]*\.js$/,
  words: /^assets\/en-[^/]*\.js$/,
  engine: /^assets\/engine-[^/]*\.js$/,
  checks: /^assets\/key-checks-[^/]*\.js$/,
} as const;
const STATIC_IMPORT = /(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g;

/** Builds the pages in memory, and returns the JavaScript of their first load, the largest file first. */
export async function firstLoad(): Promise<LoadedFile[]> {
  const root = import.meta.dirname;
  const configFile = join(root, 'vite.config.ts');
  // The plugin for words looks for its settings in the current folder.
  process.chdir(root);
  const built = await build({ root, configFile, logLevel: 'silent', build: { write: false } });
  if (!('output' in built)) throw new TypeError('the build of the pages has several results, or none');
  const files = new Map(
    built.output.map((file) => [file.fileName, String(file.type === 'chunk' ? file.code : file.source)]),
  );
  const loaded = new Set<string>();
  const add = (name: string): void => {
    if (loaded.has(name)) return;
    loaded.add(name);
    for (const [, imported] of files.get(name)?.matchAll(STATIC_IMPORT) ?? []) add(`assets/${imported}`);
  };
  for (const [part, start] of Object.entries(STARTS)) {
    const found = [...files.keys()].filter((name) => start.test(name));
    if (found.length !== 1) throw new Error(`the ${part} begins with one file, the build has: ${found.join(', ')}`);
    found.forEach(add);
  }
  return [...loaded]
    .map((name) => {
      const code = files.get(name);
      if (code === undefined) throw new Error(`the build has no ${name}, which another file imports`);
      return { name, gzipped: gzipSync(code, { level: 9 }).length };
    })
    .sort((a, b) => b.gzipped - a.gzipped);
}
