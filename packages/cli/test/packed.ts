// Unpacks the package of the command into a folder that has only it and the dependencies of this repository.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkDependencies } from '../../../scripts/packaging/link-dependencies.ts';
import { packAll } from '../../../scripts/packaging/pack.ts';

const root = join(import.meta.dirname, '../../..');

export interface Packed {
  /** The path of the program in the unpacked package. */
  readonly command: string;
  dispose(): void;
}

/** Packs and unpacks the command. Nothing is downloaded. */
export async function packAndUnpack(): Promise<Packed> {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-packed-'));
  const target = join(linkDependencies(root, folder), 'sealpost');
  mkdirSync(target);
  for (const { file } of await packAll(root, folder, { onlyCommand: true }))
    execFileSync('tar', ['-xzf', file, '-C', target, '--strip-components=1']);
  return {
    command: join(target, 'bin/sealpost.js'),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
