// Makes `new URL('./x', import.meta.url)` work in built packages. In the sources, such an address names a file beside
// the module: a program for a thread or a process, or a file to read.
import { dirname, relative, resolve, sep } from 'node:path';
import type { Rolldown } from 'tsdown';
import { PAGES } from './built-files.ts';

const ADDRESS = /new URL\((['"`])(\.\/[^'"`]*)\1, import\.meta\.url\)/g;
/** An address of the folder that a package's own build made. */
const BUILT = /new URL\((['"`])\.\.\/dist\/\1, import\.meta\.url\)/g;
const SOURCES = /\/packages\/[^/]+\/src\//;

/**
 * Builds each TypeScript file that an address names, as one more entry, and puts its new address there.
 * @param nameOf returns the name of an entry
 */
export const programs = (nameOf: (file: string) => string): Rolldown.Plugin => ({
  name: 'programs',
  transform: {
    filter: { id: SOURCES, code: 'import.meta.url' },
    handler(code, id) {
      const built = code.replace(ADDRESS, (address, _quote, path: string) => {
        if (!path.endsWith('.ts')) return address;
        const file = resolve(dirname(id), path);
        return `new URL(import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'chunk', id: file, name: nameOf(file) })})`;
      });
      // Nothing moves to another line, so the source map stays true.
      return { code: built, map: null };
    },
  },
});

/** Lets addresses of built pages name their copies beside the module. */
export const copiedPages: Rolldown.Plugin = {
  name: 'copied-pages',
  transform: {
    filter: { id: SOURCES, code: 'import.meta.url' },
    handler: (code) => ({ code: code.replace(BUILT, `new URL('./${PAGES}/', import.meta.url)`), map: null }),
  },
};

/**
 * Lets addresses of files name their copies below `files/`, because a bundle of modules of many folders is in one
 * folder.
 * @param packages the folder of all packages
 */
export const copiedFiles = (packages: string): Rolldown.Plugin => ({
  name: 'copied-files',
  transform: {
    filter: { id: SOURCES, code: 'import.meta.url' },
    handler(code, id) {
      const [name, , ...folders] = relative(packages, dirname(id)).split(sep);
      const beside = ['.', 'files', name, ...folders].join('/');
      const built = code.replace(ADDRESS, (address, quote: string, path: string) =>
        path.endsWith('.ts') ? address : `new URL(${quote}${beside}${path.slice(1)}${quote}, import.meta.url)`,
      );
      return { code: built, map: null };
    },
  },
});
