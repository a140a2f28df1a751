// A clean Debian root, in which a test installs packages and runs programs.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What apt would install with the package. A root with the essential packages alone does not have it. */
const DEPENDENCIES = ['adduser', 'libstdc++6'];
const SUITE = 'bookworm';
/** Flags that leave out what the tests do not need, and the waits for a disk. */
const FLAGS = [
  '--quiet',
  '--variant=essential',
  `--include=${DEPENDENCIES.join(',')}`,
  '--aptopt=Acquire::Languages "none"',
  '--dpkgopt=force-unsafe-io',
];

/** Makes a Debian root in a new folder. */
export async function makeCleanRoot(folder: string): Promise<void> {
  const child = spawn('mmdebstrap', [...FLAGS, '--format=directory', SUITE, folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (part) => (errors += part));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`mmdebstrap ended with ${code}: ${errors}`);
  // Nothing starts services here, and a package must not try to.
  writeFileSync(join(folder, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
}

export interface CleanRoot {
  readonly folder: string;
  /** Runs a program as root. Returns its exit code, and all that it printed. */
  run(...words: readonly string[]): { readonly code: number | null; readonly out: string };
  /** Copies a file into the folder `/tmp`. Returns its path there. */
  take(file: string): string;
}

export function enterRoot(folder: string): CleanRoot {
  return {
    folder,
    run(...words) {
      const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
      const { status, stdout, stderr } = spawnSync('chroot', [folder, ...words], { env, encoding: 'utf8' });
      return { code: status, out: stdout + stderr };
    },
    take(file) {
      mkdirSync(join(folder, 'tmp'), { recursive: true });
      cpSync(file, join(folder, 'tmp', basename(file)));
      return join('/tmp', basename(file));
    },
  };
}

/** Returns the values of the lines `name=value` of a unit file, in the order of the file. */
export function unitLines(file: string): ReadonlyMap<string, readonly string[]> {
  const lines = new Map<string, string[]>();
  for (const [, name = '', value = ''] of readFileSync(file, 'utf8').matchAll(/^(\w+)=(.*)$/gm))
    lines.set(name, [...(lines.get(name) ?? []), value]);
  return lines;
}
