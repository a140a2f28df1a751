// Lets a built program outside the repository import the libraries that are installed in the repository.
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Creates `node_modules` in a folder, with links to all installed libraries except the packages of this project. */
export function linkDependencies(root: string, folder: string): string {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules, { recursive: true });
  // Libraries inside the server's package come first, because they have the versions that the server needs.
  for (const from of [join(root, 'packages/server/node_modules'), join(root, 'node_modules')])
    if (existsSync(from)) linkAll(from, modules);
  return modules;
}

function linkAll(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    const target = join(to, name);
    if (name.startsWith('.') || name.startsWith('@sealpost') || name === 'sealpost') continue;
    if (!existsSync(target)) symlinkSync(join(from, name), target);
  }
}
