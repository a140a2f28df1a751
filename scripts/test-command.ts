// Builds the command for a test run, as its package has it. Tests start the command hundreds of times, and the built one
// starts in half the time that the sources take. It is built anew for each run, so it is never older than the sources.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasFiles } from './packaging/built-files.ts';
import { buildCommand } from './packaging/command.ts';
import { linkDependencies } from './packaging/link-dependencies.ts';
import { publishedPackages } from './packaging/published.ts';
import { textsBehind } from './wanted-services.ts';

/** The variable by which tests find the built command. Without it, they start the sources. */
export const commandVariable = 'SEALPOST_TEST_COMMAND';

/**
 * Builds the command if one of the test files starts it, and puts its path into the environment.
 * @returns the function that removes what was built
 */
export async function provideCommand(root: string, files: readonly string[]): Promise<() => void> {
  delete process.env[commandVariable];
  if (![...textsBehind(root, files)].some((text) => text.includes(commandVariable))) return () => {};
  // A clone whose pages are not built has a server without them, from the sources as here.
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
