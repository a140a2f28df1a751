// Finds a Python that can import the libraries that the tests' Python programs need. The Python that the environment
// names comes first, then the first suitable one among the installed commands.
import { spawnSync } from 'node:child_process';
import { howToInstall } from './debian-packages.ts';
import type { Service } from './test-services.ts';

const DEBIANS_OWN = '/usr/bin/python3';
/**
 * Imports to try. A Python is suitable if one of these lines works. The package `argon2` is not needed with
 * `cryptography` 44 or newer, which contains argon2id.
 */
const IMPORTS = ['from cryptography.hazmat.primitives.kdf.argon2 import Argon2id', 'import cryptography, argon2'];

export async function findPython(named: string | undefined): Promise<Service> {
  if (named) return found(named, `${named}, as the environment says`);
  const own = ['python3', DEBIANS_OWN].find(hasImports);
  if (!own) throw new Error(`no python3 with the packages cryptography and argon2; ${howToInstall('python')}`);
  return found(own, own);
}

/** Returns true if a Python can run the Python programs of the tests. */
export const hasImports = (command: string): boolean =>
  IMPORTS.some((code) => spawnSync(command, ['-c', code]).status === 0);

const found = (url: string, from: string): Service => ({ url, from, stop: async () => {} });
