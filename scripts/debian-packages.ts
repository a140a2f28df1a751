// Programs that tests need and npm does not have: from Debian, where the test command may install them.
import { spawnSync } from 'node:child_process';

const INSTALL_MS = 5 * 60_000;

/** Its path, if it can be called by its name. */
export const commandPath = (name: string): string | undefined =>
  spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim() || undefined;

/** @throws Error that says why it cannot */
export function installPackages(...names: readonly string[]): void {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).error) {
    throw new Error(`only root on Debian can install ${names.join(', ')}`);
  }
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', ...names]]) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8', timeout: INSTALL_MS });
    if (status !== 0) throw new Error(`apt-get ${args[0]} ended with ${status}: ${stderr.trim().split('\n').at(-1)}`);
  }
}
