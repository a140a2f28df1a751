// The libraries inside of the built pages of a package. Their build lists them, because the manifest cannot. It names
// them among the tools of development, and does not tell which of them are in the pages.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Library } from './notices.ts';
import type { Package } from './published.ts';

/** The files beside the pages: the texts of the licences for people, and the list for programs. */
export const NOTICES = 'third-party-notices.txt';
export const LIBRARIES = 'third-party.json';

/** Returns the folder with the pages that a package's own build makes; undefined if it has no build of its own. */
export const builtPages = (packages: string, { folder, manifest }: Package): string | undefined =>
  manifest.scripts?.build === undefined ? undefined : join(packages, folder, 'dist');

/** Says that a file is missing, and how to make it. */
export const notBuilt = ({ folder }: Package, file: string): string =>
  `${file} is missing. Build the pages first: npm run build -w packages/${folder}`;

/** @throws Error if the pages are not built */
export function pageLibraries(packages: string, one: Package): Library[] {
  const pages = builtPages(packages, one);
  if (pages === undefined) return [];
  const list = join(pages, LIBRARIES);
  if (!existsSync(list)) throw new Error(notBuilt(one, list));
  return JSON.parse(readFileSync(list, 'utf8'));
}
