// RSA keys with which clients encrypt credentials. Each key serves one login, at any server, within ten minutes. Its
// private key is stored until it is used, and is encrypted under the key's name. The database contains only a hash of
// the name. So the database alone is not enough to decrypt a private key.

import { ApiError, limits } from '@sealpost/contract';
import type { Clock, Random } from '@sealpost/contract/ports';
import type { RSAKeyInfo } from '@sealpost/contract/schemas';
import { hmac, tokenHash } from '../../platform/kernel/digest.ts';
import type { SlowCrypto } from '../../platform/kernel/ports.ts';
import { randomHex } from '../../platform/kernel/random-text.ts';
import { openBytes, sealBytes } from '../../platform/kernel/sealed-bytes.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import type { ServerSecret } from '../sessions/index.ts';
import { type Credential, parseCredential } from './credential.ts';
import { createKeyPairs, KEY_BYTES, newPair, type RsaPair } from './key-pairs.ts';
import { deleteExpiredLoginKeys, insertLoginKey, noteShownLoginKey, takeLoginKey } from './queries.ts';

const OPENING = 256;
const SESSION_KEY_BYTES = 8;
const KEY_NAME_BYTES = 16;

export interface KeyPool {
  /** Issues a key to a client. */
  take(address: string): Promise<RSAKeyInfo>;
  /**
   * Decrypts a credential and uses up its key. Returns undefined if the key or the credential is invalid. That takes
   * the same work as a success, so the duration reveals nothing. Throws if too many decryptions run at once.
   */
  open(keyName: string, cipherHex: string): Promise<Credential | undefined>;
  sweep(tx: Tx): Promise<void>;
}

export interface KeyPoolDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly slowCrypto: SlowCrypto;
  readonly secret: ServerSecret;
}

const HEX = /^[0-9a-f]+$/i;

export function createKeyPool({ store, clock, random, slowCrypto, secret }: KeyPoolDeps): KeyPool {
  const pairs = createKeyPairs(slowCrypto);
  const sealing = secret.key('login key');
  const naming = secret.key('login session key');
  const sessionKeyOf = (keyName: string): string =>
    hmac(naming, keyName).subarray(0, SESSION_KEY_BYTES).toString('hex');
  let opening = 0;
  let decoy: Promise<RsaPair> | undefined;

  /**
   * Removes a key from the store and returns its private key; undefined if no key has this name. Both cases write to
   * the database alike, so they take equally long.
   */
  async function use(keyName: string): Promise<Uint8Array | undefined> {
    const name = tokenHash(keyName);
    const found = await store.transact(async (tx) => {
      const key = await tx.one(takeLoginKey, name, clock.now());
      await tx.run(noteShownLoginKey, name);
      return key;
    });
    return found && openBytes(hmac(sealing, keyName), found.sealed);
  }

  return {
    async take(address) {
      const { modulus, exponent, privateKey } = await pairs.take(address);
      const keynm = BigInt(`0x${randomHex(random, KEY_NAME_BYTES)}`).toString();
      const sealed = sealBytes(random, hmac(sealing, keynm), privateKey);
      const expires = clock.now() + limits.loginKeyMs.value;
      await store.transact((tx) => tx.run(insertLoginKey, tokenHash(keynm), sealed, expires));
      return { keynm, nvalue: modulus, evalue: exponent, sessionKey: sessionKeyOf(keynm) };
    },
    async open(keyName, cipherHex) {
      if (opening >= OPENING) throw new ApiError('SERVER_BUSY', 'too many credentials are being opened');
      opening += 1;
      try {
        const key = await use(keyName);
        decoy ??= newPair(slowCrypto);
        const { privateKey } = await decoy;
        const wellFormed = cipherHex.length === 2 * KEY_BYTES && HEX.test(cipherHex);
        const cipher = wellFormed ? Buffer.from(cipherHex, 'hex') : Buffer.alloc(KEY_BYTES, 1);
        const plain = await slowCrypto.decryptRsa(key ?? privateKey, cipher);
        const credential = plain && parseCredential(Buffer.from(plain), sessionKeyOf(keyName));
        return key && wellFormed ? credential : undefined;
      } finally {
        opening -= 1;
      }
    },
    sweep: (tx) => tx.run(deleteExpiredLoginKeys, clock.now()),
  };
}
