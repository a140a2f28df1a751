// Chooses what an installation of the command contains from the lockfile of the repository. The result is a project
// with a lockfile of its own. npm installs this project with the same versions and the same hashes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Package } from '../published.ts';

type Names = Readonly<Record<string, string>>;

/** An entry of a lockfile. */
interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  readonly libc?: string | readonly string[];
  readonly dependencies?: Names;
  readonly optionalDependencies?: Names;
  readonly peerDependencies?: Names;
}

export type Lockfile = Readonly<Record<string, Locked>>;

export interface LockedProject {
  readonly manifest: object;
  readonly lockfile: object;
  /**
   * Returns the paths that an installation on Linux with glibc and this processor has, such as `node_modules/pg`, with
   * their versions.
   */
  installed(cpu: string): ReadonlyMap<string, string>;
}

/**
 * Returns a project with the given libraries and runtimes.
 * @param wanted the libraries, with their versions
 * @param runtimes the packages with Node, one for each processor; npm installs the one that fits
 */
export function lockedProject(
  root: string,
  packages: readonly Package[],
  wanted: Names,
  runtimes: readonly string[],
): LockedProject {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const { packages: locked } = JSON.parse(text) as { packages: Lockfile };
  const first = Object.keys(wanted).map((name) => placeOf(locked, ownerOf(packages, name), name));
  const all = [...first, ...runtimes.map((name) => placeOf(locked, '', name))];
  const entries = entriesBehind(locked, all, () => true);
  const versionOf = (name: string): string => entries.get(`node_modules/${name}`)?.version ?? '';
  const manifest = {
    name: 'sealpost-installation',
    version: '0.0.0',
    private: true,
    dependencies: wanted,
    optionalDependencies: Object.fromEntries(runtimes.map((name) => [name, versionOf(name)])),
  };
  const lockfile = {
    name: manifest.name,
    version: manifest.version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': manifest, ...Object.fromEntries([...entries].sort()) },
  };
  return {
    manifest,
    lockfile,
    installed(cpu) {
      const found = entriesBehind(locked, all, (entry) => fitsLinux(entry, cpu));
      return new Map([...found].map(([path, { version }]) => [path, version]));
    },
  };
}

/** Returns the folder of the package that depends on a library. */
function ownerOf(packages: readonly Package[], library: string): string {
  const owner = packages.find(({ manifest }) => library in (manifest.dependencies ?? {}));
  if (!owner) throw new Error(`no package of this repository depends on ${library}`);
  return `packages/${owner.folder}`;
}

/** Returns the key of the entry that a package gets when it imports a name, by the rules of Node. */
function placeIn(locked: Lockfile, from: string, name: string): string | undefined {
  const parts = from.split('/');
  const folders = parts.map((_, at) => parts.slice(0, parts.length - at).join('/')).filter((folder) => folder !== '');
  return [...folders.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`].find(
    (key) => key in locked,
  );
}

function placeOf(locked: Lockfile, from: string, name: string): string {
  const place = placeIn(locked, from, name);
  if (place === undefined) throw new Error(`package-lock.json has no entry for ${name}: run npm install`);
  return place;
}

/**
 * Returns the wanted ones of some entries, with all that they need. What lies in a package of this repository moves to
 * the top.
 */
function entriesBehind(
  locked: Lockfile,
  first: readonly string[],
  isWanted: (entry: Locked) => boolean,
): Map<string, Locked> {
  const chosen = new Map<string, Locked>();
  const left = [...first];
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    const entry = locked[place];
    if (!entry || !isWanted(entry)) continue;
    const target = place.replace(/^packages\/[^/]+\//, '');
    const other = chosen.get(target);
    if (other?.integrity === entry.integrity) continue;
    if (other) throw new Error(`${target} would have two versions: ${other.version} and ${entry.version}`);
    chosen.set(target, withoutMarks(entry));
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = entry;
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    // A name without an entry is optional: npm refuses to write a lockfile that lacks anything else.
    left.push(...names.flatMap((name) => placeIn(locked, place, name) ?? []));
  }
  return chosen;
}

/** Removes the marks of development tools. A library of the product may also be one of them. */
function withoutMarks(entry: Locked): Locked {
  const { dev: _, devOptional: __, ...rest } = entry as Locked & { dev?: boolean; devOptional?: boolean };
  return rest;
}

const fits = (allowed: string | readonly string[] | undefined, own: string): boolean =>
  allowed === undefined || [allowed].flat().includes(own);

/** Returns true if npm installs an entry on Linux with glibc and this processor. */
export const fitsLinux = ({ os, cpu, libc }: Locked, own: string): boolean =>
  fits(os, 'linux') && fits(cpu, own) && fits(libc, 'glibc');
