// The packages that are published, and their published manifests. In the repository, `exports` names TypeScript
// sources. The published manifest names the files that are built from them.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The targets of a subpath in `exports`: one path, or a path for each condition. */
type Target = string | { readonly [condition: string]: string };

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly private?: boolean;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
  readonly imports?: Readonly<Record<string, Target>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export interface Package {
  /** The name of the folder below `packages`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Subpaths of `exports` that only tests of this repository import. */
const UNPUBLISHED = new Set(['./internal', './internal-maintenance']);

/** Returns the packages that are not private. */
export function publishedPackages(root: string): Package[] {
  return globSync('packages/*/package.json', { cwd: root })
    .sort()
    .map((path) => ({
      folder: path.split('/')[1] ?? '',
      manifest: JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest,
    }))
    .filter(({ manifest }) => !manifest.private);
}

/** Returns the sources that users of the published package can import, as paths inside the package. */
export function entriesOf({ exports = {}, imports = {} }: Manifest): string[] {
  const own = Object.values(imports).flatMap((target) => (typeof target === 'string' ? target : Object.values(target)));
  return [...Object.entries(exports).flatMap(([path, source]) => (UNPUBLISHED.has(path) ? [] : source)), ...own];
}

/** Returns the path of the file that is built from a source, for example `./dist/node.js` for `./src/node.ts`. */
export const builtOf = (source: string, extension: string): string =>
  source.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, extension);

const builtTarget = (target: Target): Target =>
  typeof target === 'string'
    ? builtOf(target, '.js')
    : Object.fromEntries(Object.entries(target).map(([condition, path]) => [condition, builtOf(path, '.js')]));

/** Returns the manifest for the published package. All packages of a release have the same version. */
export function publishedManifest({ manifest }: Package, version: string): object {
  const { exports = {}, imports, devDependencies: _, scripts: __, dependencies = {}, ...rest } = manifest;
  const entries = Object.entries(exports).filter(([path]) => !UNPUBLISHED.has(path));
  return {
    ...rest,
    version,
    files: ['bin', 'dist', 'man', 'THIRD-PARTY-NOTICES.txt'],
    exports: {
      ...Object.fromEntries(
        entries.map(([path, source]) => [path, { types: builtOf(source, '.d.ts'), default: builtOf(source, '.js') }]),
      ),
      './package.json': './package.json',
    },
    ...(imports && {
      imports: Object.fromEntries(Object.entries(imports).map(([name, target]) => [name, builtTarget(target)])),
    }),
    dependencies: Object.fromEntries(
      Object.entries(dependencies).map(([name, wanted]) => [name, isOwn(name) ? version : wanted]),
    ),
  };
}

/** Returns true if a name is the name of a package of this project. */
export const isOwn = (name: string): boolean => name === 'sealpost' || name.startsWith('@sealpost/');
