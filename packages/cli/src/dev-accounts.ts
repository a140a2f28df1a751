// The accounts that the dev profile seeds, so that a first `send --as alice` needs no login before it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirectory } from './environment.ts';

export interface DevAccount {
  readonly userid: string;
  readonly password: string;
  readonly mid: string;
}

const FILE = 'dev-accounts.json';

/** Seeded accounts of a server on this machine; none for a server elsewhere, or one without the dev profile. */
export function devAccounts(url: string): readonly DevAccount[] {
  if (!isLoopback(url)) return [];
  try {
    return JSON.parse(readFileSync(join(dataDirectory(), FILE), 'utf8')) as DevAccount[];
  } catch {
    return [];
  }
}

export const devAccount = (url: string, userid: string): DevAccount | undefined =>
  devAccounts(url).find((account) => account.userid === userid);

const isLoopback = (url: string): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
