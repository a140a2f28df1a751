// What the builds of all packages have in common.
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { builtPages, LIBRARIES, NOTICES, notBuilt } from './page-libraries.ts';
import type { Package } from './published.ts';

/** The folder of built pages, beside the modules of their package. */
export const PAGES = 'pages';
/** What no pages are packed without. */
const NEEDED = ['index.html', NOTICES, LIBRARIES];

const missingOf = (pages: string): string | undefined =>
  NEEDED.map((name) => join(pages, name)).find((file) => !existsSync(file));

/** Returns whether there is what `copyFiles` copies: pages of a package's own build may not be built yet. */
export function hasFiles(packages: string, one: Package): boolean {
  const pages = builtPages(packages, one);
  return pages === undefined || missingOf(pages) === undefined;
}

/**
 * Copies what the modules of a package read at run time. This is everything in its folders except sources. If the package
 * has a build of its own, it is the result of that build.
 */
export function copyFiles(packages: string, one: Package, to: string): void {
  const pages = builtPages(packages, one);
  if (pages === undefined) {
    const from = join(packages, one.folder, 'src');
    cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.ts') });
    return;
  }
  const missing = missingOf(pages);
  if (missing !== undefined) throw new Error(notBuilt(one, missing));
  cpSync(pages, join(to, PAGES), { recursive: true });
}

/** Returns the path of a source as source maps name it, so that they do not name the machine of the build. */
export const sourceInRepository = (path: string): string => path.slice(path.lastIndexOf('/packages/') + 1);
