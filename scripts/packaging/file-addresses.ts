// Makes `new URL('./x', import.meta.url)` work in built packages. In the sources, such an expression is the address of
// a file beside the module. The file is a program for a thread or a process, or is read.
import { dirname, relative, resolve, sep } from 'node:path';
import type { Rolldown } from 'tsdown';
import { builds } from './page-libraries.ts';

const ADDRESS = /new URL\((['"`])(\.\/[^'"`]*)\1, import\.meta\.url\)/g;
/** Matches the address of a folder with a package's built pages. */
const BUILT = /new URL\((['"`])\.\.\/([\w-]+)\/\1, import\.meta\.url\)/g;
const SOURCES = /\/packages\/[^/]+\/src\//;

/**
 * Builds each TypeScript file that such an address names as a further entry, and replaces the address by that of the
 * built file.
 * @param nameOf returns the name of the entry for a file
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
      // All code stays on its line, so an existing source map remains right.
      return { code: built, map: null };
    },
  },
});

function ofCopy(address: string, _quote: string, folder: string): string {
  const found = builds.find(({ built }) => built === folder);
  return found ? `new URL('./${found.copy}/', import.meta.url)` : address;
}

/** Replaces the address of built pages by that of their copy beside the module. */
export const copiedPages: Rolldown.Plugin = {
  name: 'copied-pages',
  transform: {
    filter: { id: SOURCES, code: 'import.meta.url' },
    handler: (code) => ({ code: code.replace(BUILT, ofCopy), map: null }),
  },
};

/**
 * Replaces addresses of files by those of their copies below `files/`. A bundle has modules from many folders in one
 * folder, so their files cannot be beside them.
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
