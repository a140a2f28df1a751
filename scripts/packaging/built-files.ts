// Functions that the builds of all packages use.
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltPages, builtPages, LIBRARIES, NOTICES, notBuilt } from './page-libraries.ts';
import type { Package } from './published.ts';

/** The files without which built pages must not be packed. */
const NEEDED = ['index.html', NOTICES, LIBRARIES];

const missingOf = (pages: readonly BuiltPages[]): string | undefined =>
  pages.flatMap(({ folder }) => NEEDED.map((name) => join(folder, name))).find((file) => !existsSync(file));

/** Returns true if all files exist that `copyFiles` would copy. Built pages may be missing. */
export const hasFiles = (packages: string, one: Package): boolean => missingOf(builtPages(packages, one)) === undefined;

/**
 * Copies the files that the modules of a package read at run time. If the package builds pages, these are the built
 * pages. Otherwise, they are all files in its source folders except TypeScript.
 */
export function copyFiles(packages: string, one: Package, to: string): void {
  const pages = builtPages(packages, one);
  if (pages.length === 0) {
    const from = join(packages, one.folder, 'src');
    cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.ts') });
    return;
  }
  const missing = missingOf(pages);
  if (missing !== undefined) throw new Error(notBuilt(one, missing));
  for (const { folder, copy } of pages) cpSync(folder, join(to, copy), { recursive: true });
}

/**
 * Returns the path of a source below the repository. Source maps contain this path, so that they do not tell where the
 * build ran.
 */
export const sourceInRepository = (path: string): string => path.slice(path.lastIndexOf('/packages/') + 1);
