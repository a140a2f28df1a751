// Lays an installation out below a prefix, as `/usr` is laid out: the command, man page, completions and documents.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BillOfMaterials } from '../../supply-chain.ts';
import type { Architecture } from './architecture.ts';
import { installedMaterials } from './installed-materials.ts';
import { type BuiltCommand, makeInstalledTree, RUNTIME } from './installed-tree.ts';
import { gzipped, type SourceTime, setModes, setNotExecutable } from './reproducible.ts';

/** What all artifacts of a run are made from. */
export interface Source {
  readonly root: string;
  readonly command: BuiltCommand;
  readonly time: SourceTime;
  /** The bill of materials of the release. */
  readonly materials: BillOfMaterials;
}

/** What packing files needs to know of it. */
export interface PackedSource extends Pick<Source, 'root' | 'time'> {
  readonly command: Pick<BuiltCommand, 'version'>;
}

/** The folder of the installation below the prefix. */
export const LIBRARY = 'lib/sealpost';
/** The place of the completion of each shell below the prefix. */
const COMPLETIONS = {
  bash: 'share/bash-completion/completions/sealpost',
  zsh: 'share/zsh/vendor-completions/_sealpost',
  fish: 'share/fish/vendor_completions.d/sealpost.fish',
};
/** A flag that bin/sealpost.js explains. */
const NODE_FLAGS = '--max-semi-space-size=16';

/** Writes the files of an installation below a new prefix. */
export function layOut({ root, command, time, materials }: Source, architecture: Architecture, prefix: string): void {
  const library = join(prefix, LIBRARY);
  mkdirSync(dirname(library), { recursive: true });
  makeInstalledTree(command, architecture, library);
  const main = join(library, 'bin/sealpost.js');
  for (const [shell, path] of Object.entries(COMPLETIONS))
    write(join(prefix, path), execFileSync(process.execPath, [main, 'completion', shell]));
  write(join(prefix, 'share/man/man1/sealpost.1.gz'), gzipped(join(library, 'man/sealpost.1')));
  const documents = join(prefix, 'share/doc/sealpost');
  const bill = installedMaterials(root, materials, command.version, architecture, time);
  write(join(documents, 'sbom.cdx.json'), `${JSON.stringify(bill, undefined, 2)}\n`);
  write(join(documents, 'CHANGELOG.md.gz'), gzipped(join(root, 'CHANGELOG.md')));
  cpSync(join(root, 'deploy/debian/copyright'), join(documents, 'copyright'));
  setModes(prefix);
  setNotExecutable(join(library, 'node_modules'));
}

/**
 * Writes the program `bin/sealpost` below a prefix.
 * @param library the folder of the installation, as the shell finds it
 */
export function writeLauncher(prefix: string, library: string): void {
  const file = join(prefix, 'bin/sealpost');
  write(file, `#!/bin/sh\nexec "${library}/${RUNTIME}" ${NODE_FLAGS} "${library}/bin/sealpost.js" "$@"\n`);
  chmodSync(file, 0o755);
}

function write(file: string, content: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
