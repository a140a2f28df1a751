// Makes the base of an image from Debian packages, without a registry of images. It has a shell and the libraries that
// Node needs, and no package manager.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Architecture } from './architecture.ts';
import { type SourceTime, tarFlags } from './reproducible.ts';

const SUITE = 'bookworm';
const PACKAGES = ['base-files', 'dash', 'libc6', 'libgcc-s1', 'libstdc++6'];
/** The user and the group of the server in the container, as a number that no host uses for people. */
export const CONTAINER_USER = 10_001;

/** Programs look up names of users here. */
const USERS = {
  passwd: `root:x:0:0:root:/root:/bin/sh\nsealpost:x:${CONTAINER_USER}:${CONTAINER_USER}::/var/lib/sealpost:/bin/sh\n`,
  group: `root:x:0:\nsealpost:x:${CONTAINER_USER}:\n`,
};

/** Writes the files of a base as a tarball. Scripts of packages do not run, so any processor can make it for any. */
export function writeBase({ name }: Architecture, time: SourceTime, folder: string): string {
  const file = join(folder, `base-${name}.tar`);
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(time) };
  const flags = ['--quiet', '--variant=extract', `--architectures=${name}`, `--include=${PACKAGES.join(',')}`];
  execFileSync('mmdebstrap', [...flags, '--aptopt=Acquire::Languages "none"', SUITE, file], { env, stdio: 'pipe' });
  const own = join(folder, 'base-users/etc');
  mkdirSync(own, { recursive: true });
  const paths = Object.entries(USERS).map(([path, text]) => {
    writeFileSync(join(own, path), text, { mode: 0o644 });
    return `./etc/${path}`;
  });
  execFileSync('tar', [...tarFlags(time), '--append', '--file', file, '-C', join(folder, 'base-users'), ...paths]);
  return file;
}
