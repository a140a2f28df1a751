// Unpacks the package of the command into a folder that has only it and the dependencies of this repository.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packAll } from '../../../scripts/packaging/pack.ts';

const root = join(import.meta.dirname, '../../..');
/** The folders of dependencies. Those inside a package come first, because they have the version that it wants. */
const dependencies = [join(root, 'packages/server/node_modules'), join(root, 'node_modules')];

export interface Packed {
  /** The path of the program in the unpacked package. */
  readonly command: string;
  dispose(): void;
}

/** Packs and unpacks the command. Nothing is downloaded. */
export async function packAndUnpack(): Promise<Packed> {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-packed-'));
  const modules = join(folder, 'node_modules');
  const target = join(modules, 'sealpost');
  mkdirSync(target, { recursive: true });
  for (const place of dependencies.filter((path) => existsSync(path))) linkAll(place, modules);
  for (const { file } of await packAll(root, folder, { onlyCommand: true }))
    execFileSync('tar', ['-xzf', file, '-C', target, '--strip-components=1']);
  return {
    command: join(target, 'bin/sealpost.js'),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Links the packages of a folder, this project's own excepted. */
function linkAll(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    const target = join(to, name);
    if (name.startsWith('@sealpost') || name === 'sealpost') continue;
    if (!existsSync(target)) symlinkSync(join(from, name), target);
  }
}
