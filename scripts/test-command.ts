// Builds the command for a test run, like the command in its package. Tests start the command hundreds of times, and
// the built command starts in half the time of the sources. It is built for each run, so it is never older than the
// sources.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildRunnableCommand } from './packaging/runnable-command.ts';
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
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-command-'));
  process.env[commandVariable] = await buildRunnableCommand(root, folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
