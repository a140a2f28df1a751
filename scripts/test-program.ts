// Finds a program for a test run: the path that the environment names, else the command that is installed on the
// machine.
import { commandPath, howToInstall } from './debian-packages.ts';
import type { Service } from './test-services.ts';

/** @param name the name of the command */
export const findProgram =
  (name: 'chromium' | 'strace') =>
  async (named: string | undefined): Promise<Service> => {
    if (named) return found(named, `${named}, as the environment says`);
    const own = commandPath(name);
    if (!own) throw new Error(`no ${name} on the path; ${howToInstall(name)}`);
    return found(own, own);
  };

const found = (url: string, from: string): Service => ({ url, from, stop: async () => {} });
