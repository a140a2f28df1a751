// Functions for version numbers, which all packages share, and for the changelog's section of a version.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOwn } from './published.ts';

const VERSION = /^(\d+)\.(\d+)\.(\d+)(-[0-9a-z.-]+)?$/;
const UNRELEASED = '## [Unreleased]\n';

export const isVersion = (text: string): boolean => VERSION.test(text);

/** Returns the next version. `wanted` is `major`, `minor`, `patch`, or a version, which is returned unchanged. */
export function nextVersion(current: string, wanted: string): string {
  const [major = 0, minor = 0, patch = 0] = (VERSION.exec(current)?.slice(1, 4) ?? []).map(Number);
  if (wanted === 'major') return `${major + 1}.0.0`;
  if (wanted === 'minor') return `${major}.${minor + 1}.0`;
  if (wanted === 'patch') return `${major}.${minor}.${patch + 1}`;
  return wanted;
}

/**
 * Moves the unreleased changes below a new heading with the version, and leaves an empty section for unreleased
 * changes.
 */
export function releasedChangelog(changelog: string, version: string, date: string): string {
  const [before, after] = changelog.split(UNRELEASED);
  if (before === undefined || after === undefined) throw new Error(`the changelog has no "${UNRELEASED.trim()}"`);
  return `${before}${UNRELEASED}\n## [${version}] - ${date}\n${after}`;
}

/** Returns the changelog's section of a version, including the heading. */
export function sectionOf(changelog: string, version: string): string {
  const from = changelog.indexOf(`## [${version}]`);
  const next = changelog.indexOf('\n## ', from);
  if (from < 0) throw new Error(`the changelog has no section for ${version}`);
  return `${changelog.slice(from, next < 0 ? undefined : next).trimEnd()}\n`;
}

type Json = Record<string, unknown>;

/**
 * Sets the version of all packages in manifests and lockfile. Sets the same version in every dependency on one of these
 * packages.
 */
export function setVersions(root: string, version: string): void {
  for (const path of ['package.json', ...globSync('packages/*/package.json', { cwd: root })])
    rewrite(join(root, path), (manifest) => withVersion(manifest, version));
  rewrite(join(root, 'package-lock.json'), (lockfile) => {
    const packages = Object.entries(lockfile.packages as Record<string, Json>).map(([path, entry]) => [
      path,
      path.includes('node_modules/') ? entry : withVersion(entry, version),
    ]);
    return { ...lockfile, version, packages: Object.fromEntries(packages) };
  });
}

function rewrite(file: string, change: (content: Json) => Json): void {
  const content = change(JSON.parse(readFileSync(file, 'utf8')) as Json);
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
}

function withVersion(manifest: Json, version: string): Json {
  const changed: Json = { ...manifest, version };
  for (const kind of ['dependencies', 'devDependencies'])
    if (manifest[kind]) changed[kind] = withOwn(manifest[kind] as Record<string, string>, version);
  return changed;
}

const withOwn = (dependencies: Readonly<Record<string, string>>, version: string): Record<string, string> =>
  Object.fromEntries(Object.entries(dependencies).map(([name, wanted]) => [name, isOwn(name) ? version : wanted]));
