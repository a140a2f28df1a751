// A program of a test run: the one that is named, else the machine's own, else Debian's, installed for this run.
import { commandPath, installPackages } from './debian-packages.ts';
import type { Service } from './test.ts';

/** @param name of the command, and of Debian's package */
export const findProgram =
  (name: string) =>
  async (named: string | undefined): Promise<Service> => {
    if (named) return found(named, `${named}, as the environment says`);
    const own = commandPath(name);
    if (own) return found(own, own);
    installPackages(name);
    const installed = commandPath(name);
    if (!installed) throw new Error(`the package ${name} was installed and brought no command of this name`);
    return found(installed, `${installed}, installed for this run`);
  };

const found = (url: string, from: string): Service => ({ url, from, stop: async () => {} });
