// Login words. A new device and the device that gives the keys to it show the same words, unless somebody in between
// exchanged a key. The file docs/security.md tells how much work it takes to find two key pairs with the same words.
import { sha512 } from '@noble/hashes/sha2.js';
import { concat } from './bytes.ts';
import { wordsOf } from './made-up-words.ts';
import { KEY_LENGTH } from './x25519.ts';

const DOMAIN = new TextEncoder().encode('sealpost login words');
const VERSION = 1;
/**
 * The number of rounds of hashing. The rounds make a search for keys with the same words expensive, as in safety
 * numbers.
 */
const ROUNDS = 5200;
/** The number of words. Each holds 16 bits. */
const WORDS = 5;
const BETWEEN = '-';

/**
 * Returns five words, which hold 80 bits.
 * @param devicePublicKey the public key that the new device made for this login
 * @param accountPublicKey the newest of the account's keys that the other device sends
 */
export function loginWords(devicePublicKey: Uint8Array, accountPublicKey: Uint8Array): string {
  const keys = concat(devicePublicKey, accountPublicKey);
  if (devicePublicKey.length !== KEY_LENGTH || accountPublicKey.length !== KEY_LENGTH)
    throw new RangeError(`login words need two public keys of ${KEY_LENGTH} bytes`);
  let hash: Uint8Array = concat(DOMAIN, Uint8Array.of(VERSION), keys);
  for (let round = 0; round < ROUNDS; round++) hash = sha512(concat(hash, keys));
  return wordsOf(hash.subarray(0, 2 * WORDS)).join(BETWEEN);
}

/** Returns whether the typed words equal the given words, ignoring spacing and case. */
export function sameLoginWords(words: string, typed: string): boolean {
  return words === (typed.toLowerCase().match(/[a-z]+/g) ?? []).join(BETWEEN);
}
