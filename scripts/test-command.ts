// Builds the command for a test run, like the command in its package. Tests start the command hundreds of times, and
// the built command starts in half the time of the sources. It is built for each run, so it is never older than the
// sources.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasFiles } from './packaging/built-files.ts';
import { buildCommand } from './packaging/command.ts';
import { linkDependencies } from './packaging/link-dependencies.ts';
import { publishedPackages } from './packaging/published.ts';
import { textsBehind } from './wanted-services.ts';

/** The environment variable with the path of the built command. If it is not set, tests start the sources. */
export const commandVariable = 'SEALPOST_TEST_COMMAND';

/**
 * Builds the command if one of the test files starts it, and sets the environment variable to its path.
 * @returns the function that removes the built command
 */
export async function provideCommand(root: string, files: readonly string[]): Promise<() => void> {
  delete process.env[commandVariable];
  if (![...textsBehind(root, files)].some((text) => text.includes(commandVariable))) return () => {};
  // Pages that are not built are left out. The server of the built command then has no pages, like that of the sources.
  const packages = publishedPackages(root).filter((one) => hasFiles(join(root, 'packages'), one));
  const command = packages.find(({ manifest }) => manifest.bin);
  if (!command) throw new Error('no package of this repository has a command: see `bin` in packages/*/package.json');
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-command-'));
  const target = {
    folder: join(linkDependencies(root, folder), command.manifest.name),
    version: command.manifest.version,
  };
  await buildCommand(root, command, packages, target);
  writeFileSync(join(target.folder, 'package.json'), JSON.stringify({ type: 'module' }));
  process.env[commandVariable] = join(target.folder, 'bin/sealpost.js');
  return () => rmSync(folder, { recursive: true, force: true });
}
