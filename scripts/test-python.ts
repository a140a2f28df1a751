// Finds a Python that has the imports of the independent programs: the one that the environment names, else the first
// such on the path.
import { spawnSync } from 'node:child_process';
import { howToInstall } from './debian-packages.ts';
import type { Service } from './test-services.ts';

const DEBIANS_OWN = '/usr/bin/python3';
/** The imports to try; one line is enough. argon2id is part of `cryptography` since version 44. */
const IMPORTS = ['from cryptography.hazmat.primitives.kdf.argon2 import Argon2id', 'import cryptography, argon2'];

export async function findPython(named: string | undefined): Promise<Service> {
  if (named) return found(named, `${named}, as the environment says`);
  const own = ['python3', DEBIANS_OWN].find(hasImports);
  if (!own) throw new Error(`no python3 with the packages cryptography and argon2; ${howToInstall('python')}`);
  return found(own, own);
}

/** Returns whether a Python can run the independent programs. */
export const hasImports = (command: string): boolean =>
  IMPORTS.some((code) => spawnSync(command, ['-c', code]).status === 0);

const found = (url: string, from: string): Service => ({ url, from, stop: async () => {} });
