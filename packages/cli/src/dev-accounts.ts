// The accounts of dev mode. With them, a first `send --as alice` works without a login.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirectory } from './environment.ts';

export interface DevAccount {
  readonly userid: string;
  readonly password: string;
  readonly mid: string;
}

/** The content of the file in which the server lists the accounts of dev mode. */
interface SeedFile {
  readonly port: number;
  readonly accounts: readonly DevAccount[];
}

const FILE = 'dev-accounts.json';
const HTTP_PORT = '80';

/**
 * Returns an account of dev mode on the server at this address. Returns undefined if the server is on another machine
 * or not in dev mode.
 */
export function devAccount(url: string, userid: string, dataDir?: string): DevAccount | undefined {
  const { hostname, port } = new URL(url);
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) return;
  const seeded = seededIn(dataDirectory(dataDir));
  if (seeded?.port !== Number(port || HTTP_PORT)) return;
  return seeded.accounts.find((account) => account.userid === userid);
}

function seededIn(folder: string): SeedFile | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as SeedFile;
  } catch {
    return;
  }
}
