// Computes safety numbers with contacts, and marks a contact as verified after a comparison of the numbers.
import type { E2EEPublicKey } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import { fromBase64, type KeyChainEntry, safetyNumber, toBase64 } from '@sealpost/crypto';
import type { Gateway } from '../gateway/calls.ts';
import { KeyTrustError } from './key-trust-error.ts';
import { type KeyChange, type KnownKeysDeps, learnKeys, requireNewest } from './known-keys.ts';
import { SafetyNumberError } from './safety-number-error.ts';
import type { VerifiedContact } from './trust-memory.ts';

/** A contact's safety number, and whether it was compared. */
export interface ContactTrust {
  readonly mid: string;
  /** The safety number: sixty digits in groups of five. */
  readonly digits: string;
  /** The content of the QR code: 65 bytes in base64, the same on both sides. */
  readonly qr: string;
  /** The id of the contact's current key. */
  readonly keyId: number;
  readonly state: 'unverified' | 'verified' | 'changed';
  /** The compared safety number; undefined if `state` is `unverified`. */
  readonly verified?: VerifiedContact;
  /** Whose key has changed since the comparison, for the state `changed`. */
  readonly changed?: 'contact' | 'own' | 'both';
}

type Unverified = Pick<ContactTrust, 'mid' | 'digits' | 'qr' | 'keyId'>;

export interface ContactDeps extends KnownKeysDeps {
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly tell: (changes: readonly KeyChange[]) => void;
}

/**
 * Fetches the contact's current key, checks it against the log, and computes the safety number.
 * @throws SafetyNumberError if one of the two users has no key to compare; KeyTrustError if a key must not be trusted
 */
export async function contactTrust(deps: ContactDeps, mid: string): Promise<ContactTrust> {
  const { own, key } = await currentKeys(deps, mid);
  return compared(describe(deps.mid, own, mid, key), own, key, await deps.memory.verified(mid));
}

/**
 * Marks a contact as verified, only if the code matches both current keys. They may have changed since the users
 * compared the number.
 * @param code the digits that the users compared, or the content of the other side's QR code
 * @returns undefined if the code does not match; then nothing is marked
 */
export async function verifyContact(deps: ContactDeps, mid: string, code: string): Promise<ContactTrust | undefined> {
  const { own, key } = await currentKeys(deps, mid);
  const shown = describe(deps.mid, own, mid, key);
  if (!isSame(code, shown)) return undefined;
  const verified: VerifiedContact = {
    time: deps.clock.now(),
    digits: shown.digits,
    keyId: key.keyId,
    keyData: key.keyData,
    ownKeyId: own.keyId,
  };
  await deps.memory.setVerified(mid, verified);
  return { ...shown, state: 'verified', verified };
}

async function currentKeys(deps: ContactDeps, mid: string): Promise<{ own: KeyChainEntry; key: E2EEPublicKey }> {
  if (mid === deps.mid) throw new SafetyNumberError('this is your own account: a safety number is for two people');
  const own = newest(await deps.keyStore.ownKeys(deps.mid));
  if (!own) throw new SafetyNumberError('this device has no key of the account: there is nothing to compare yet');
  await requireOwnCurrent(deps, own);
  const { publicKey: key } = await deps.gateway.call('TalkService.negotiateE2EEPublicKey', mid);
  if (!key) throw new SafetyNumberError(`${mid} has no key, or has Letter Sealing off: there is nothing to compare`);
  deps.tell(await learnKeys(deps, [{ mid, key }]));
  await requireNewest(deps, [{ mid, key }]);
  return { own, key };
}

/**
 * Checks that the server shows this device's key as the current one. The other side computes the number with the key
 * that the server shows.
 */
async function requireOwnCurrent({ gateway, mid }: ContactDeps, own: KeyChainEntry): Promise<void> {
  const listed = await gateway.call('TalkService.getE2EEPublicKeys');
  const shown = listed.toSorted((a, b) => b.keyId - a.keyId)[0];
  if (shown?.keyId === own.keyId && shown.keyData === toBase64(own.publicKey)) return;
  const found = `the server shows key ${shown?.keyId ?? 'none'} as the current one of this account, this device has key ${own.keyId}`;
  throw new KeyTrustError('own-key-unknown', found, { mid, ...(shown && { keyId: shown.keyId }) });
}

function describe(ownMid: string, own: KeyChainEntry, mid: string, key: E2EEPublicKey): Unverified {
  const number = safetyNumber(
    { mid: ownMid, publicKeys: [own.publicKey] },
    { mid, publicKeys: [fromBase64(key.keyData)] },
  );
  return { mid, digits: number.digits, qr: toBase64(number.qr), keyId: key.keyId };
}

function compared(shown: Unverified, own: KeyChainEntry, key: E2EEPublicKey, verified?: VerifiedContact): ContactTrust {
  if (!verified) return { ...shown, state: 'unverified' };
  if (verified.digits === shown.digits) return { ...shown, state: 'verified', verified };
  const [contact, self] = [verified.keyData !== key.keyData, verified.ownKeyId !== own.keyId];
  return { ...shown, state: 'changed', verified, changed: contact && self ? 'both' : contact ? 'contact' : 'own' };
}

/** Returns whether a code is the safety number: digits in any grouping, or the content of the QR code. */
function isSame(code: string, { digits, qr }: Unverified): boolean {
  const plain = code.replace(/\s/g, '');
  return plain === digits.replaceAll(' ', '') || plain === qr;
}

const newest = (keys: readonly KeyChainEntry[]): KeyChainEntry | undefined =>
  keys.toSorted((a, b) => b.keyId - a.keyId)[0];
