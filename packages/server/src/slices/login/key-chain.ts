// The sealed key chain that a device with keys hands over to a new device. The server cannot open the chain. It passes
// the chain on unchanged, then removes it.
import { ApiError } from '@sealpost/contract';
import type { AccountKey, E2EELoginMetadata, KeyChainHandover } from '@sealpost/contract/schemas';
import type { Reader } from '../../platform/store/store.ts';
import type { LoginRow } from './queries.ts';

/**
 * Returns an account's newest key; undefined if the account has none. The new device and the device that
 * hands over its keys show words that are derived from this key, and the user compares them.
 */
export type AccountKeyOf = (reader: Reader, accountId: number) => Promise<AccountKey | undefined>;

const DECIMAL = /^\d{1,19}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const PUBLIC_KEY_BYTES = 32;
const PROOF_BYTES = 16;
const MOST_CHARACTERS = 64 * 1024;

export const bytesOf = (base64: string): number | undefined =>
  BASE64.test(base64) ? Buffer.byteLength(base64, 'base64') : undefined;

/** Returns whether a text has the form of the proof that a device opened the chain. */
export const isProof = (deviceSecret: string): boolean => bytesOf(deviceSecret) === PROOF_BYTES;

/**
 * Returns the handover as JSON after checking its fields.
 * @throws ILLEGAL_ARGUMENT with the name of the field
 */
export function checkHandover(e2ee: KeyChainHandover): string {
  const wrong = (field: string, must: string) => new ApiError('ILLEGAL_ARGUMENT', `e2ee.${field} must be ${must}`);
  if (!DECIMAL.test(String(e2ee.keyId))) throw wrong('keyId', 'a decimal number');
  if (!DECIMAL.test(String(e2ee.e2eeVersion))) throw wrong('e2eeVersion', 'a decimal number');
  if (bytesOf(e2ee.publicKey) !== PUBLIC_KEY_BYTES) throw wrong('publicKey', 'base64 of 32 bytes');
  const { encryptedKeyChain: chain } = e2ee;
  if (chain === '' || chain.length > MOST_CHARACTERS || bytesOf(chain) === undefined) {
    throw wrong('encryptedKeyChain', `base64 of at most ${MOST_CHARACTERS} characters`);
  }
  if (!isProof(e2ee.hashKeyChain)) throw wrong('hashKeyChain', 'base64 of 16 bytes');
  return JSON.stringify(e2ee);
}

export const handoverOf = (row: LoginRow): KeyChainHandover | undefined =>
  row.handover === null ? undefined : (JSON.parse(row.handover) as KeyChainHandover);

/**
 * Returns the key chain in the form that the new device gets; empty if none was handed over.
 * @param chromeClient true if the client expects every field as a string. Other clients get `keyId` as a number, as the
 * specification says.
 */
export function metadataOf(row: LoginRow, chromeClient: boolean): E2EELoginMetadata {
  const e2ee = handoverOf(row);
  if (!e2ee) return {};
  return {
    errorCode: 'SUCCESS',
    e2eeVersion: String(e2ee.e2eeVersion),
    keyId: chromeClient || !Number.isSafeInteger(Number(e2ee.keyId)) ? String(e2ee.keyId) : Number(e2ee.keyId),
    publicKey: e2ee.publicKey,
    encryptedKeyChain: e2ee.encryptedKeyChain,
  };
}
