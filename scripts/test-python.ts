// A Python that has what the independent programs import: the one that is named, else the first on the path that has it,
// else Debian's, which then gets it.
import { spawnSync } from 'node:child_process';
import { installPackages } from './debian-packages.ts';
import type { Service } from './test.ts';

const DEBIANS_OWN = '/usr/bin/python3';
/** Either will do: argon2id is a part of `cryptography` since version 44. */
const IMPORTS = ['from cryptography.hazmat.primitives.kdf.argon2 import Argon2id', 'import cryptography, argon2'];

export async function findPython(named: string | undefined): Promise<Service> {
  if (named) return found(named, `${named}, as the environment says`);
  const own = ['python3', DEBIANS_OWN].find(hasImports);
  if (own) return found(own, own);
  installPackages('python3', 'python3-cryptography', 'python3-argon2');
  if (!hasImports(DEBIANS_OWN))
    throw new Error(`${DEBIANS_OWN} got its packages and still fails at: ${IMPORTS.at(-1)}`);
  return found(DEBIANS_OWN, `${DEBIANS_OWN}, with packages installed for this run`);
}

const hasImports = (command: string): boolean => IMPORTS.some((code) => spawnSync(command, ['-c', code]).status === 0);

const found = (url: string, from: string): Service => ({ url, from, stop: async () => {} });
