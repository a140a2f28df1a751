// Recovery codes, each of which replaces a second factor once. Only their hashes are stored.
import type { Random } from '@sealpost/contract/ports';
import { tokenHash } from '../../platform/kernel/digest.ts';
import type { Tx } from '../../platform/store/store.ts';
import { deleteRecoveryCodesOf, insertRecoveryCode, takeRecoveryCode } from './queries.ts';

const CODES = 10;
/** The characters of a code, without those that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789';
/** Sixteen characters of five bits each: too many codes for anybody to find one from its hash. */
const LENGTH = 16;

/** Makes new codes and forgets the old ones. Returns the codes as they are shown, in groups of four characters. */
export async function renewRecoveryCodes(tx: Tx, random: Random, administratorId: number): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => newCode(random));
  await tx.run(deleteRecoveryCodesOf, administratorId);
  for (const code of codes) await tx.run(insertRecoveryCode, administratorId, tokenHash(code));
  return codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-'));
}

/** Uses up a code. Returns false if the administrator has no such code. */
export const useRecoveryCode = async (tx: Tx, administratorId: number, given: string): Promise<boolean> =>
  (await tx.one(takeRecoveryCode, administratorId, tokenHash(given.toLowerCase().replaceAll(/[\s-]/g, '')))) !==
  undefined;

const newCode = (random: Random): string =>
  Array.from(random.bytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
