// Bundles programs for browsers, as their authors do: minified, and with parts that are loaded at their first use.
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type OutputChunk, rolldown } from 'rolldown';

export interface BundledFile {
  readonly name: string;
  readonly code: string;
  /** The size in bytes after `gzip -9`. */
  readonly gzipped: number;
  /** The paths of the modules in the file, below the root of the project. */
  readonly modules: readonly string[];
  /** The names of the files that are loaded together with this one. */
  readonly imports: readonly string[];
  readonly map: OutputChunk['map'];
}

export interface BrowserBundle {
  readonly files: readonly BundledFile[];
  /** The file that the page names. */
  readonly start: BundledFile;
  /** Returns what is loaded with the first file, or with the file that has this module. */
  loadedWith(module?: string): readonly BundledFile[];
}

const root = new URL('../../..', import.meta.url).pathname;

/** Bundles a program that uses these names of the SDK, and nothing else. */
export const bundleWith = (names: readonly string[]): Promise<BrowserBundle> => {
  const used = names.join(', ');
  return bundleForBrowser(
    join(root, 'page.ts'),
    `import { ${used} } from '@sealpost/sdk'; globalThis.used = [${used}];`,
  );
};

/**
 * Bundles a program.
 * @param path the file of the program
 * @param text the text of the program; if given, there need not be a file
 */
export async function bundleForBrowser(path: string, text?: string): Promise<BrowserBundle> {
  const program = {
    name: 'program',
    resolveId: (id: string) => (id === path && text !== undefined ? id : undefined),
    load: (id: string) => (id === path ? text : undefined),
  };
  const bundle = await rolldown({ input: path, platform: 'browser', logLevel: 'silent', plugins: [program] });
  const { output } = await bundle.generate({ format: 'esm', dir: root, minify: true, sourcemap: 'hidden' });
  const chunks = output.filter((file) => file.type === 'chunk');
  const files = chunks.map(bundledFile);
  const fileWith = (module: string): BundledFile => {
    const file = files.find(({ modules }) => modules.includes(module));
    if (!file) throw new Error(`the bundle has no module ${module}`);
    return file;
  };
  const start = fileWith(relative(root, path));
  return {
    files,
    start,
    loadedWith: (module) => [...withImports(files, module === undefined ? start : fileWith(module))],
  };
}

/** Returns the size of files in bytes after `gzip -9`. */
export const gzippedSize = (files: readonly BundledFile[]): number =>
  files.reduce((sum, { gzipped }) => sum + gzipped, 0);

const bundledFile = ({ fileName, code, imports, modules, map }: OutputChunk): BundledFile => ({
  name: fileName,
  code,
  gzipped: gzipSync(code, { level: 9 }).length,
  modules: Object.keys(modules).map((path) => relative(root, path)),
  imports,
  map,
});

function withImports(files: readonly BundledFile[], file: BundledFile, seen = new Set<BundledFile>()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const other of files) if (file.imports.includes(other.name)) withImports(files, other, seen);
  return seen;
}
