// Finds a Python that can import what the independent programs need: the Python that the environment names, else the
// first suitable one on the path.
import { spawnSync } from 'node:child_process';
import { howToInstall } from './debian-packages.ts';
import type { Service } from './test-services.ts';

const DEBIANS_OWN = '/usr/bin/python3';
/**
 * Lines of imports to try. A Python is suitable if one of them works. Since version 44, `cryptography` has argon2id
 * itself.
 */
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
