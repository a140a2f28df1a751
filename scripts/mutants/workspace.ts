// A copy of the project to which faults are applied, so that the working tree never contains one.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { applied, type Mutant } from './mutant.ts';

export interface Workspace {
  readonly root: string;
  /** A folder for temporary files of the tests. `reset` empties it. */
  readonly temporary: string;
  /** A folder in which Node keeps compiled code for later runs. */
  readonly compiled: string;
  /** Writes the fault of a mutant into the copy. */
  apply(mutant: Mutant): void;
  /** Removes every fault from the copy. */
  reset(): void;
  remove(): void;
}

const MODULES = 'node_modules';

/** Copies the files that git tracks, and new files that git does not ignore. Links to the installed packages. */
export function copyProject(from: string): Workspace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sealpost-mutants-')));
  const root = join(folder, 'project');
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  for (const path of keptFiles(from)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(from, path), join(root, path));
  }
  linkModules(from, root);
  const originals = new Map<string, string>();
  return {
    root,
    temporary,
    compiled: join(folder, 'compiled'),
    apply(mutant) {
      const path = join(root, mutant.file);
      const text = readFileSync(path, 'utf8');
      originals.set(path, text);
      writeFileSync(path, applied(text, mutant));
    },
    reset() {
      for (const [path, text] of originals) writeFileSync(path, text);
      originals.clear();
      rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
      mkdirSync(temporary);
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

function keptFiles(root: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return [...new Set(listed.split('\0'))].filter((path) => path !== '' && existsSync(join(root, path)));
}

function linkModules(from: string, to: string): void {
  const packages = existsSync(join(from, 'packages')) ? readdirSync(join(from, 'packages')) : [];
  for (const name of packages) {
    const modules = join('packages', name, MODULES);
    if (existsSync(join(from, modules))) symlinkSync(join(from, modules), join(to, modules));
  }
  if (existsSync(join(from, MODULES))) linkEach(from, to, MODULES);
}

/**
 * Fills a folder with links to packages. Links to the project's own packages lead to the copies of these packages. All
 * other links lead to the installed packages.
 */
function linkEach(from: string, to: string, folder: string): void {
  mkdirSync(join(to, folder));
  for (const name of readdirSync(join(from, folder))) {
    const path = join(folder, name);
    if (name === '.cache') continue;
    if (name.startsWith('@')) {
      linkEach(from, to, path);
      continue;
    }
    const target = realpathSync(join(from, path));
    const own = relative(realpathSync(from), target);
    const isOwn = lstatSync(join(from, path)).isSymbolicLink() && own.startsWith(`packages${sep}`);
    symlinkSync(isOwn ? join(to, own) : target, join(to, path));
  }
}
