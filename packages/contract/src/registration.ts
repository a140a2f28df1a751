// The registration API, with which people open accounts. It needs no token and no signature.
import Type, { type Static } from 'typebox';
import { type AdminArgsOf, type AdminEndpoint, type AdminResultOf, adminEndpoint } from './admin-endpoint.ts';
import { closed, Name, Num, Time } from './admin-schemas.ts';
import { registrationModes, registrationPaths } from './registration-names.ts';
import { optional } from './schema.ts';

export * from './registration-names.ts';

const Hex = (most: number) => Type.String({ maxLength: most, pattern: '^[0-9a-f]+$', description: 'hex digits' });
const Code = Type.String({
  maxLength: 100,
  description: 'code of an invite; hyphens, spaces and capital letters do not matter',
});

/** The options that a server offers to people without an account. */
export const RegistrationOffer = Type.Object(
  {
    mode: Type.Enum([...registrationModes], {
      description: '`invite`: with the code of an invite. `open`: anybody who solves a challenge. `closed`: nobody',
    }),
    userid: Type.Object({
      pattern: Type.String({ description: 'regular expression that a user id matches, in small letters' }),
      characters: Num,
    }),
    displayName: Type.Object({ characters: Num }),
    password: Type.Object({
      leastCharacters: Num,
      mostBytes: Type.Integer({ description: 'most bytes in UTF-8' }),
    }),
  },
  { title: 'RegistrationOffer' },
);
export type RegistrationOffer = Static<typeof RegistrationOffer>;

export const inviteStates = ['usable', 'used-up', 'expired', 'revoked'] as const;
export type InviteState = (typeof inviteStates)[number];

/** An invite as people who have its code see it. */
export const SeenInvite = Type.Object(
  {
    state: Type.Enum([...inviteStates]),
    from: optional(Type.String({ description: 'who invites' })),
    name: optional(Type.String({ description: 'for whom it is; a display name to begin with' })),
    userid: optional(Type.String({ description: 'a user id to begin with' })),
    expires: optional(Time),
    usesLeft: Num,
  },
  { title: 'SeenInvite' },
);
export type SeenInvite = Static<typeof SeenInvite>;

/** Whether an account can have a user id. */
export const CheckedUserid = Type.Object(
  {
    userid: Type.String({ description: 'in normal form: small letters, without spaces around it' }),
    free: Type.Boolean(),
    problem: optional(Type.String({ description: 'the rule that the user id breaks' })),
  },
  { title: 'CheckedUserid' },
);
export type CheckedUserid = Static<typeof CheckedUserid>;

/**
 * A computation that a client must do to register: it finds a number for which PBKDF2 yields a key that begins with a
 * prefix. The names of the fields are those of version 2 of the challenges of the library altcha-lib.
 */
export const Challenge = closed('Challenge', {
  parameters: closed('ChallengeParameters', {
    algorithm: Type.Literal('PBKDF2/SHA-256'),
    cost: Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'iterations of PBKDF2 for each try' }),
    data: closed('ChallengeData', {
      id: Type.String({ maxLength: 100 }),
      expires: Type.Integer({ minimum: 0, description: 'epoch milliseconds' }),
    }),
    keyLength: Type.Integer({ minimum: 1, maximum: 64, description: 'bytes of the key' }),
    keyPrefix: Hex(8),
    nonce: Hex(64),
    salt: Hex(64),
  }),
  signature: Hex(128),
});
export type Challenge = Static<typeof Challenge>;

export const Solution = closed('Solution', {
  counter: Type.Integer({ minimum: 0, maximum: 0xffff_ffff }),
  derivedKey: Hex(128),
});
export type Solution = Static<typeof Solution>;

const SolvedChallenge = closed('SolvedChallenge', { challenge: Challenge, solution: Solution });
export type SolvedChallenge = Static<typeof SolvedChallenge>;

export const Registered = Type.Object(
  { mid: Type.String(), userid: Type.String(), displayName: Type.String() },
  { title: 'Registered' },
);
export type Registered = Static<typeof Registered>;

const at = <const N extends keyof typeof registrationPaths>(name: N) => ({
  verb: registrationPaths[name][0],
  path: registrationPaths[name][1],
});

const busy = { 429: 'too many calls, wrong codes or registrations; the header Retry-After has the seconds to wait' };
const notOffered = { 403: 'the server does not offer this now' };

/** Every endpoint of the registration API by name. */
export const registrationEndpoints = {
  showRegistration: adminEndpoint({
    ...at('showRegistration'),
    summary: 'Shows who may register, and what names and passwords look like.',
    scope: 'none',
    result: RegistrationOffer,
    problems: busy,
  }),
  lookAtInvite: adminEndpoint({
    ...at('lookAtInvite'),
    summary: 'Shows an invite to somebody who has its code. Wrong codes are counted.',
    scope: 'none',
    body: { schema: closed('LookAtInvite', { code: Code }) },
    result: SeenInvite,
    problems: { ...busy, ...notOffered, 404: 'no invite has the code' },
  }),
  checkUserid: adminEndpoint({
    ...at('checkUserid'),
    summary:
      'Tells whether a new account can have a user id. Needs the code of a usable invite unless anybody may register.',
    scope: 'none',
    body: { schema: closed('CheckUserid', { userid: Name, code: optional(Code) }) },
    result: CheckedUserid,
    problems: {
      ...busy,
      ...notOffered,
      404: 'no invite has the code',
      410: 'the invite is used up, expired or revoked',
    },
  }),
  getChallenge: adminEndpoint({
    ...at('getChallenge'),
    summary: 'Gives a challenge to be solved before a registration without an invite. It can be used once.',
    scope: 'none',
    result: Challenge,
    problems: { ...busy, ...notOffered },
  }),
  register: adminEndpoint({
    ...at('register'),
    summary: 'Creates an account, and uses an invite or a solved challenge up in the same transaction.',
    scope: 'none',
    body: {
      schema: closed('Register', {
        userid: Name,
        password: Name,
        displayName: Name,
        code: optional(Code),
        solved: optional(SolvedChallenge),
      }),
    },
    status: 201,
    result: Registered,
    problems: {
      ...busy,
      ...notOffered,
      404: 'no invite has the code',
      409: 'the user id is taken',
      410: 'the invite is used up, expired or revoked, or the challenge was used already',
      422: 'the challenge is not solved, has expired, or is not from this server',
    },
  }),
} as const satisfies Record<string, AdminEndpoint>;

type RegistrationEndpoints = typeof registrationEndpoints;
export type RegistrationEndpointName = keyof RegistrationEndpoints;
export type RegistrationArgs<N extends RegistrationEndpointName> = AdminArgsOf<RegistrationEndpoints[N]>;
export type RegistrationResult<N extends RegistrationEndpointName> = AdminResultOf<RegistrationEndpoints[N]>;
