// Makes a password that is easy to read to somebody, and hard to guess.

/** Letters and digits that are not mistaken for each other. 32 of them, so that each byte gives one without bias. */
const SIGNS = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** Returns a new password with 80 random bits, such as `k3vw-8dnt-pq2x-mz7a`. */
export function newPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(GROUPS * GROUP_LENGTH));
  const signs = Array.from(bytes, (byte) => SIGNS[byte % SIGNS.length]).join('');
  return (signs.match(new RegExp(`.{${GROUP_LENGTH}}`, 'g')) ?? []).join('-');
}
