// Finds the files that changed since an earlier commit, and the mutants that these changes concern.
import { execFileSync, spawnSync } from 'node:child_process';
import type { PlacedMutant } from './mutant.ts';

const MAIN_BRANCHES = ['origin/main', 'main'];

/**
 * Returns the files that differ from the base commit, including uncommitted ones; undefined if there is no such commit.
 */
export function changedFiles(root: string, base: string | undefined): Set<string> | undefined {
  const from = base ?? earlierCommit(root);
  if (from === undefined) return undefined;
  const differing = git(root, 'diff', '--name-only', '-z', from);
  const untracked = git(root, 'ls-files', '-z', '--others', '--exclude-standard');
  return new Set(`${differing}\0${untracked}`.split('\0').filter((path) => path !== ''));
}

/** Returns the mutants whose faulty file, tests or declaration changed. */
export function touched(mutants: readonly PlacedMutant[], files: ReadonlySet<string>): PlacedMutant[] {
  return mutants.filter((mutant) => [mutant.file, mutant.area, ...mutant.tests].some((path) => files.has(path)));
}

/** Returns the commit where this branch left the main branch. On the main branch, returns the previous commit. */
function earlierCommit(root: string): string | undefined {
  const head = commit(root, 'HEAD');
  const bases = MAIN_BRANCHES.filter((branch) => commit(root, branch)).map((branch) =>
    spawnSync('git', ['merge-base', 'HEAD', branch], { cwd: root, encoding: 'utf8' }).stdout.trim(),
  );
  return bases.find((base) => base !== '' && base !== head) ?? commit(root, 'HEAD~1');
}

function commit(root: string, name: string): string | undefined {
  const found = spawnSync('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], {
    cwd: root,
    encoding: 'utf8',
  });
  return found.status === 0 ? found.stdout.trim() : undefined;
}

const git = (root: string, ...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
