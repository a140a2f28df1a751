// Makes packages with `npm pack`, and unpacks them into a folder. The folder has only these packages and the
// dependencies of this repository.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const SCOPE = '@sealpost';

export interface Packed {
  /** The path of the program in the unpacked package. */
  readonly command: string;
  dispose(): void;
}

/**
 * Packs the packages and unpacks them beside node_modules, because Node strips no types inside that folder. Links in
 * node_modules lead to the packages, as in a workspace. Nothing is downloaded.
 */
export function packAndUnpack(): Packed {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-packed-'));
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, SCOPE), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== SCOPE) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  for (const { name, filename } of pack(folder)) {
    const [, short = name] = name.split('/');
    const target = join(folder, 'packages', short);
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['-xzf', join(folder, filename), '-C', target, '--strip-components=1']);
    if (name.startsWith(SCOPE)) symlinkSync(target, join(modules, name));
    linkOwnModules(short, target);
  }
  return {
    command: join(folder, 'packages/sealpost/bin/sealpost.js'),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function pack(folder: string): { name: string; filename: string }[] {
  const args = ['pack', '--workspaces', '--json', '--offline', '--ignore-scripts', '--pack-destination', folder];
  return JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
}

/**
 * Links the dependencies that npm has installed inside one package. npm does this if another package needs a different
 * version.
 */
function linkOwnModules(short: string, target: string): void {
  const own = join(root, 'packages', short === 'sealpost' ? 'cli' : short, 'node_modules');
  if (existsSync(own)) symlinkSync(own, join(target, 'node_modules'));
}
