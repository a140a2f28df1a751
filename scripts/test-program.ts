// Finds a program for a test run: at the path that the environment names, otherwise among the installed commands.
import { commandPath, howToInstall } from './debian-packages.ts';
import type { Service } from './test-services.ts';

/**
 * @param name what the program is
 * @param commands the names of its command
 */
export const findProgram =
  (name: 'chromium' | 'firefox' | 'strace' | 'go' | 'pytest', commands: readonly string[] = [name]) =>
  async (named: string | undefined): Promise<Service> => {
    if (named) return found(named, `${named}, as the environment says`);
    const own = commands.map(commandPath).find((path) => path !== undefined);
    if (!own) throw new Error(`no ${name} on the path; ${howToInstall(name)}`);
    return found(own, own);
  };

const found = (url: string, from: string): Service => ({ url, from, stop: async () => {} });
