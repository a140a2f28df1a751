// The browser of a test run: the one that is named, else the machine's own, else Debian's, installed for this run.
import { spawnSync } from 'node:child_process';
import type { Service } from './test.ts';

const INSTALL_MS = 5 * 60_000;

export async function findBrowser(): Promise<Service> {
  const named = process.env.SEALPOST_TEST_CHROMIUM;
  if (named) return found(named, 'SEALPOST_TEST_CHROMIUM');
  const own = onPath();
  if (own) return found(own, own);
  install();
  const installed = onPath();
  if (!installed) throw new Error('the package chromium was installed and brought no command of this name');
  return found(installed, `${installed}, installed for this run`);
}

const found = (url: string, from: string): Service => ({ url, from, stop: async () => {} });

const onPath = (): string | undefined =>
  spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).stdout.trim() || undefined;

function install(): void {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).error) {
    throw new Error('there is no chromium, and only root on Debian can install it');
  }
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', 'chromium']]) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8', timeout: INSTALL_MS });
    if (status !== 0) throw new Error(`apt-get ${args[0]} ended with ${status}: ${stderr.trim().split('\n').at(-1)}`);
  }
}
