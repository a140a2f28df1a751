// Finds the libraries inside the built pages of a package. The build of the pages lists them. The manifest does not
// help, because it lists them among the development tools and does not tell which are in the pages.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Library } from './notices.ts';
import type { Package } from './published.ts';

/** Two files beside the pages: the licence texts for people, and the list of libraries for programs. */
export const NOTICES = 'third-party-notices.txt';
export const LIBRARIES = 'third-party.json';

/** Pages that a build makes: their folder, and the name of the folder with their copy beside the built modules. */
export interface BuiltPages {
  readonly folder: string;
  readonly copy: string;
}

/** The name of the folder with the copy of the web client. */
export const PAGES = 'pages';
/** The folders into which a package builds pages: the web client, the administration pages and the inspector. */
export const builds = [
  { built: 'dist', copy: PAGES },
  { built: 'dist-admin', copy: 'admin' },
  { built: 'dist-inspect', copy: 'inspector' },
] as const;

/** Returns the pages that a package builds; none for a package that builds no pages. */
export const builtPages = (packages: string, { folder, manifest }: Package): readonly BuiltPages[] =>
  manifest.scripts?.build === undefined
    ? []
    : builds.map(({ built, copy }) => ({ folder: join(packages, folder, built), copy }));

/** Returns an error text for a missing file, which tells how to make the file. */
export const notBuilt = ({ folder }: Package, file: string): string =>
  `${file} is missing. Build the pages first: npm run build -w packages/${folder}`;

/** @throws Error if the pages are not built */
export function pageLibraries(packages: string, one: Package): Library[] {
  const libraries = builtPages(packages, one).flatMap(({ folder }) => {
    const list = join(folder, LIBRARIES);
    if (!existsSync(list)) throw new Error(notBuilt(one, list));
    return JSON.parse(readFileSync(list, 'utf8')) as Library[];
  });
  return [...new Map(libraries.map((library) => [`${library.name}@${library.version}`, library])).values()];
}
