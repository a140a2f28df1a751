// Makes the tarball, which runs after it was unpacked anywhere.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Architecture } from './architecture.ts';
import { LIBRARY, type PackedSource, writeLauncher } from './layout.ts';
import { linkFolder, setModes, tarFlags } from './reproducible.ts';

/** The folder of the installation, found from the program, which may be reached by a link. */
const OWN_LIBRARY = `$(dirname "$(readlink -f "$0")")/../${LIBRARY}`;

/**
 * Writes a tarball from the files below a prefix. Returns its path.
 * @param level how much gzip compresses, from 1 to 9
 */
export function writeTarball(
  { root, command, time }: PackedSource,
  { name }: Architecture,
  prefix: string,
  folder: string,
  level: number,
): string {
  const base = `sealpost-${command.version}-linux-${name}`;
  const staging = dirname(prefix);
  const staged = join(staging, base);
  linkFolder(prefix, staged);
  try {
    writeLauncher(staged, OWN_LIBRARY);
    const examples = join(staged, 'share/doc/sealpost/examples');
    for (const file of ['sealpost.service', 'sealpost.yaml'])
      cpSync(join(root, 'deploy/debian', file), join(examples, file));
    setModes(staged);
    const file = join(folder, `${base}.tar.gz`);
    const flags = [...tarFlags(time), `--use-compress-program=gzip -n -${level}`, '-cf', file];
    execFileSync('tar', [...flags, '-C', staging, base]);
    return file;
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}
