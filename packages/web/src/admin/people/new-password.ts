// Makes a password that is easy to read aloud and hard to guess.

/**
 * 32 letters and digits that nobody confuses with each other. The number 32 divides 256, so a random byte selects each
 * of them equally often.
 */
const SIGNS = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** Returns a new password with 80 random bits, such as `k3vw-8dnt-pq2x-mz7a`. */
export function newPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(GROUPS * GROUP_LENGTH));
  const signs = Array.from(bytes, (byte) => SIGNS[byte % SIGNS.length]).join('');
  return (signs.match(new RegExp(`.{${GROUP_LENGTH}}`, 'g')) ?? []).join('-');
}
