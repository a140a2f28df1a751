// The browser of a test run: the one that is named, else the machine's own, else Debian's, installed for this run.
import { commandPath, installPackages } from './debian-packages.ts';
import type { Service } from './test.ts';

export async function findBrowser(): Promise<Service> {
  const named = process.env.SEALPOST_TEST_CHROMIUM;
  if (named) return found(named, 'SEALPOST_TEST_CHROMIUM');
  const own = commandPath('chromium');
  if (own) return found(own, own);
  installPackages('chromium');
  const installed = commandPath('chromium');
  if (!installed) throw new Error('the package chromium was installed and brought no command of this name');
  return found(installed, `${installed}, installed for this run`);
}

const found = (url: string, from: string): Service => ({ url, from, stop: async () => {} });
