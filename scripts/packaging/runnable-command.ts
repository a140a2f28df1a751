// Builds the command so that it runs at once, with the libraries that are installed in the repository. It is the code of
// the package, without the time that packing and installing take.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasFiles } from './built-files.ts';
import { buildCommand } from './command.ts';
import { linkDependencies } from './link-dependencies.ts';
import { publishedPackages } from './published.ts';

/**
 * Builds the command into an empty folder outside the repository. Returns its path.
 *
 * Pages that are not built are left out. The server of the command then has no pages, like that of the sources.
 */
export async function buildRunnableCommand(root: string, folder: string): Promise<string> {
  const packages = publishedPackages(root).filter((one) => hasFiles(join(root, 'packages'), one));
  const command = packages.find(({ manifest }) => manifest.bin);
  if (!command) throw new Error('no package of this repository has a command: see `bin` in packages/*/package.json');
  const target = {
    folder: join(linkDependencies(root, folder), command.manifest.name),
    version: command.manifest.version,
  };
  await buildCommand(root, command, packages, target);
  writeFileSync(join(target.folder, 'package.json'), JSON.stringify({ type: 'module' }));
  return join(target.folder, 'bin/sealpost.js');
}
