// Bundles programs for browsers in the usual way: minified, and with files that are loaded when they are first needed.
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type OutputChunk, rolldown } from 'rolldown';

export interface BundledFile {
  readonly name: string;
  readonly code: string;
  /** The size in bytes after `gzip -9`. */
  readonly gzipped: number;
  /** The paths of the modules in the file, relative to the root of the project. */
  readonly modules: readonly string[];
  /** The names of the files that the browser must load together with this one. */
  readonly imports: readonly string[];
  readonly map: OutputChunk['map'];
}

export interface BrowserBundle {
  readonly files: readonly BundledFile[];
  /** The file that a page loads first. */
  readonly start: BundledFile;
  /**
   * Returns files that the browser loads together: the file with a module, and its imports. Without a module, begins
   * with the first file.
   */
  loadedWith(module?: string): readonly BundledFile[];
}

const root = new URL('../../..', import.meta.url).pathname;

/** Bundles a program that uses only the given exports of the SDK. */
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
 * @param text the text of the program; if given, the file need not exist
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
