// Safety numbers. If two people see the same number, no server has replaced their keys with its own.
import { sha512 } from '@noble/hashes/sha2.js';
import { type Bytes, concat, equal } from '../bytes.ts';
import { KEY_LENGTH } from '../x25519.ts';

/** A user, and all public keys with which others may currently reach this user. */
export interface KeyHolder {
  readonly mid: string;
  readonly publicKeys: readonly Uint8Array[];
}

export interface SafetyNumber {
  /** Sixty digits in groups of five, to be read aloud or compared by eye. */
  readonly digits: string;
  /** The content of a QR code, which is the same on both sides, byte by byte. */
  readonly qr: Bytes;
}

const VERSION = 1;
/**
 * The number of rounds of hashing. The rounds make a search for keys with the same digits expensive. Other messengers
 * use the same number of rounds.
 */
const ROUNDS = 5200;
const CHUNKS = 6;
const CHUNK_BYTES = 5;
const QR_BYTES = 32;
const MAX_KEYS = 255;

/**
 * Returns the safety number of two users, which is the same on both sides. The order of the users and of their keys
 * does not matter.
 */
export function safetyNumber(one: KeyHolder, other: KeyHolder): SafetyNumber {
  const [low, high] = [one, other].map(fingerprint).sort(compare) as [Bytes, Bytes];
  return {
    digits: [...groupsOf(low), ...groupsOf(high)].join(' '),
    qr: concat(Uint8Array.of(VERSION), low.subarray(0, QR_BYTES), high.subarray(0, QR_BYTES)),
  };
}

function fingerprint({ mid, publicKeys }: KeyHolder): Bytes {
  const keys = publicKeys.toSorted(compare).filter((key, at, all) => at === 0 || !equal(key, all[at - 1] as Bytes));
  if (keys.length === 0 || keys.length > MAX_KEYS || keys.some((key) => key.length !== KEY_LENGTH))
    throw new RangeError(`a safety number needs 1 to ${MAX_KEYS} public keys of ${KEY_LENGTH} bytes`);
  const all = concat(...keys);
  let hash: Uint8Array = concat(Uint8Array.of(VERSION, keys.length), all, new TextEncoder().encode(mid));
  for (let round = 0; round < ROUNDS; round++) hash = sha512(concat(hash, all));
  return new Uint8Array(hash);
}

const groupsOf = (hash: Bytes): string[] =>
  Array.from({ length: CHUNKS }, (_, at) => {
    const chunk = hash.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES);
    const number = chunk.reduce((sum, byte) => sum * 256 + byte, 0);
    return String(number % 100_000).padStart(5, '0');
  });

/** Compares by the first byte that differs. */
function compare(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
