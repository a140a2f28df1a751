// The server's own secrets. They are stored in the database, because all servers of the database share them. So
// sessions also survive a restore from a backup.

import { hkdfSync } from 'node:crypto';
import type { Clock, Random } from '@sealpost/contract/ports';
import { randomHex } from '../../platform/kernel/random-text.ts';
import type { Store } from '../../platform/store/store.ts';
import { findSecret, insertSecret } from './queries.ts';

const BYTES = 32;

export interface ServerSecret {
  /** Returns a key of 32 bytes for one purpose. The key is the same at every start. */
  key(purpose: string): Buffer;
}

/** Reads a secret. If the database has none yet, creates it. */
export async function loadServerSecret(
  store: Store,
  random: Random,
  clock: Clock,
  name: 'tokens' | 'key log' = 'tokens',
): Promise<ServerSecret> {
  const value = await store.transact(async (tx) => {
    await tx.run(insertSecret, name, randomHex(random, BYTES), clock.now());
    return (await tx.one(findSecret, name))?.value;
  });
  if (!value) throw new Error(`the server secret "${name}" could not be stored`);
  return secretFrom(value);
}

function secretFrom(value: string): ServerSecret {
  const secret = Buffer.from(value, 'hex');
  return { key: (purpose) => Buffer.from(hkdfSync('sha256', secret, '', purpose, BYTES)) };
}

/**
 * Returns the id of the installation. The id belongs to the database. It is derived from a secret, but does not reveal
 * the secret.
 */
export const instanceId = async (store: Store, random: Random, clock: Clock): Promise<string> =>
  idOf(await loadServerSecret(store, random, clock));

/** Returns the id of the installation whose database has this secret for tokens. */
export const instanceIdFrom = (value: string): string => idOf(secretFrom(value));

const idOf = (secret: ServerSecret): string => secret.key('instance id').toString('hex').slice(0, BYTES);
