// What the builds of all packages have in common.
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Package } from './published.ts';

/** The folder of built pages, beside the modules of their package. */
export const PAGES = 'pages';

/** Returns whether there is what `copyFiles` copies: pages of a package's own build may not be built yet. */
export const hasFiles = (packages: string, { folder, manifest }: Package): boolean =>
  manifest.scripts?.build === undefined || existsSync(join(packages, folder, 'dist/index.html'));

/**
 * Copies what the modules of a package read at run time. This is everything in its folders except sources. If the package
 * has a build of its own, it is the result of that build.
 */
export function copyFiles(packages: string, one: Package, to: string): void {
  const { folder, manifest } = one;
  if (manifest.scripts?.build === undefined) {
    cpSync(join(packages, folder, 'src'), to, { recursive: true, filter: (path) => !path.endsWith('.ts') });
    return;
  }
  const built = join(packages, folder, 'dist');
  if (!hasFiles(packages, one))
    throw new Error(`${built} has no pages. Build them first: npm run build -w packages/${folder}`);
  cpSync(built, join(to, PAGES), { recursive: true });
}

/** Returns the path of a source as source maps name it, so that they do not name the machine of the build. */
export const sourceInRepository = (path: string): string => path.slice(path.lastIndexOf('/packages/') + 1);
