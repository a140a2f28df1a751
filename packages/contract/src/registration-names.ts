// Paths and small values of the registration API for callers that do not load its schemas.

export { joinPath } from './join-path.ts';

/** The beginning of the path of every endpoint of the registration API. */
export const registrationRoot = '/api/registration/v1';

/** The verb and the path, below `registrationRoot`, of each endpoint. */
export const registrationPaths = {
  showRegistration: ['GET', '/'],
  lookAtInvite: ['POST', '/invite'],
  checkUserid: ['POST', '/userid'],
  getChallenge: ['POST', '/challenge'],
  register: ['POST', '/accounts'],
} as const;

/** Who may open accounts: holders of an invite, anybody, or nobody. */
export const registrationModes = ['invite', 'open', 'closed'] as const;
export type RegistrationMode = (typeof registrationModes)[number];

/** The characters of invite codes: those of Crockford's base 32, without letters that look like other characters. */
export const INVITE_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
export const INVITE_CHARACTERS = 20;

const LOOK_ALIKES: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1' };

/**
 * Returns an invite code in the form that the server compares. It has lower-case letters, no hyphens or spaces, and
 * digits in place of letters that look like them. So a code that somebody copied from paper works.
 */
export const normalInviteCode = (typed: string): string =>
  typed
    .toLowerCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[oil]/g, (letter) => LOOK_ALIKES[letter] ?? letter);
