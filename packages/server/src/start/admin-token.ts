import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Random } from '@sealpost/contract/ports';
import { FileProblem, writeFile } from '../platform/kernel/files.ts';
import { randomBase64url } from '../platform/kernel/random-text.ts';
import type { Config } from './config/config.ts';

/**
 * Returns the token of the admin API: the token in the settings, otherwise the token in the data folder. If there is
 * neither, writes a new token to a file in the data folder that only its owner can read.
 */
export function adminTokenOf(config: Config, random: Random): string {
  if (config.adminToken) return config.adminToken;
  const path = join(config.dataDir, 'admin-token');
  const what = 'the admin token in';
  if (!existsSync(path)) writeFile(what, path, `${randomBase64url(random, 32)}\n`, { mode: 0o600, flag: 'wx' });
  const token = readToken(what, path);
  // An interrupted start may leave the file empty. An empty token must not be accepted.
  if (token === '')
    throw new Error(`${what} ${resolve(path)} is empty. Remove the file: the next start makes a new one.`);
  return token;
}

function readToken(what: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new FileProblem(what, path, error);
  }
}
