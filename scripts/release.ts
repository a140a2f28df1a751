// `npm run release -- [--dry-run] [--output <folder>] [<version>|patch|minor|major]`: makes a release in the folder
// `release`: the tarballs, the changelog's section, a bill of materials, and the checksums of all these files. Without
// --dry-run, it also sets the version everywhere, moves the unreleased changes below the version, and makes a commit
// with a tag. It publishes nothing.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readOptions } from '@sealpost/dev-env/program-options';
import { SUMS, writeChecksums } from './packaging/checksums.ts';
import { shippedMaterials } from './packaging/materials.ts';
import { isVersion, nextVersion, releasedChangelog, sectionOf, setVersions } from './packaging/new-version.ts';
import { packAll } from './packaging/pack.ts';
import { publishedPackages } from './packaging/published.ts';

const CHANGELOG = 'CHANGELOG.md';

interface Release {
  readonly root: string;
  readonly version: string;
  /** The text of the changelog, which already has the section of this version. */
  readonly changelog: string;
  readonly folder: string;
}

/** Writes all files of a release into its folder. The folder is emptied first. */
async function writeRelease({ root, version, changelog, folder }: Release): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await packAll(root, folder, { version });
  writeFileSync(join(folder, 'CHANGES.md'), sectionOf(changelog, version));
  const materials = shippedMaterials(root, publishedPackages(root), version);
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(materials, undefined, 2)}\n`);
  writeChecksums(folder);
}

const git = (root: string, ...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' });

/** Throws if there are uncommitted changes, because the commit of the release would contain them. */
function requireCleanTree(root: string): void {
  const changed = git(root, 'status', '--porcelain');
  if (changed !== '') throw new Error(`commit first, or use --dry-run:\n${changed}`);
}

/** Sets the version everywhere, and makes the commit of the release with its tag. */
function commitRelease({ root, version, changelog }: Release): void {
  setVersions(root, version);
  writeFileSync(join(root, CHANGELOG), changelog);
  execFileSync(process.execPath, ['scripts/docs.ts'], { cwd: root, stdio: 'inherit' });
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--message', `Release ${version}`);
  git(root, 'tag', '--annotate', `v${version}`, '--message', `Sealpost ${version}`);
}

async function main(): Promise<void> {
  const { values, positionals } = readOptions(import.meta.filename, {
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false }, output: { type: 'string' } },
  });
  const root = join(import.meta.dirname, '..');
  const { version: current } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const [wanted = values['dry-run'] ? current : undefined, ...rest] = positionals;
  if (wanted === undefined || rest.length > 0) throw new Error('name one version, or patch, minor or major');
  const version = nextVersion(current, wanted);
  if (!isVersion(version)) throw new Error(`${version} is neither a version nor patch, minor or major`);
  const today = new Date().toISOString().slice(0, 10);
  const changelog = releasedChangelog(readFileSync(join(root, CHANGELOG), 'utf8'), version, today);
  const release = { root, version, changelog, folder: resolve(root, values.output ?? 'release') };
  if (!values['dry-run']) requireCleanTree(root);
  // The release is built before the repository is changed. So a failed build leaves the repository as it was.
  await writeRelease(release);
  if (!values['dry-run']) commitRelease(release);
  console.log(readFileSync(join(release.folder, SUMS), 'utf8').trimEnd());
  const made = values['dry-run']
    ? 'Nothing was changed or tagged.'
    : `Tagged v${version}; nothing was pushed or published.`;
  console.log(`${release.folder} has Sealpost ${version}. ${made}`);
}

await main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
