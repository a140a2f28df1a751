// Codes of invites. The database stores only their hashes.

import type { Random } from '@sealpost/contract/ports';
import { INVITE_ALPHABET, INVITE_CHARACTERS, normalInviteCode } from '@sealpost/contract/registration-names';
import { tokenHash } from '../../platform/kernel/digest.ts';

const GROUP = 5;

/**
 * Returns a new code with 100 random bits, in groups of characters that can be read aloud. Each letter takes five bits
 * of a byte, so all letters are equally likely.
 */
export function newInviteCode(random: Random): string {
  const letters = [...random.bytes(INVITE_CHARACTERS)].map((byte) => INVITE_ALPHABET[byte % INVITE_ALPHABET.length]);
  const groups = Array.from({ length: INVITE_CHARACTERS / GROUP }, (_, n) => letters.slice(n * GROUP, (n + 1) * GROUP));
  return groups.map((group) => group.join('')).join('-');
}

/**
 * Returns the hash under which an invite is stored. The hash needs no salt and no slow function, because nobody can try
 * all codes. A wrong code also has a hash, so the lookup takes equally long.
 */
export const inviteDigest = (code: string): string => tokenHash(`invite ${normalInviteCode(code)}`);
