// Endpoints of the admin API with which administrators set up their login, log in, and manage their own second factors.
import Type, { type Static } from 'typebox';
import { adminEndpoint } from './admin-endpoint.ts';
import { closed, Num, Time } from './admin-schemas.ts';
import { optional } from './schema.ts';

const Secret = Type.String({ minLength: 1, maxLength: 1000 });
const Password = optional(Secret);
/** The name of an administrator, which is also its id. */
export const AdministratorName = Type.String({
  pattern: '^[a-z0-9][a-z0-9._-]{0,31}$',
  description: '1 to 32 small letters, digits, dots, dashes and underscores, and the first is a letter or a digit',
});
const FactorName = Type.String({ minLength: 1, maxLength: 100 });
const Base64url = Type.String({ pattern: '^[\\w-]{1,20000}$', description: 'bytes in base64url' });

export const factorKinds = ['passkey', 'totp'] as const;

/**
 * The state of the caller's login. `none`: not logged in. `second-factor`: the password was right, but the second
 * factor is still missing. `enrol`: the administrator must set up a second factor first. `full`: logged in.
 */
export const LoginState = Type.Object(
  {
    state: Type.Enum(['none', 'second-factor', 'enrol', 'full']),
    administrator: optional(Type.String({ description: 'the name of the administrator' })),
    factors: Type.Array(Type.Enum(['passkey', 'totp', 'recovery-code']), {
      description: 'the second factors that the administrator has',
    }),
    expiresTime: optional(Time),
    passkeyOrigin: optional(
      Type.String({ description: 'the only origin at which passkeys work; absent if they work nowhere' }),
    ),
  },
  { title: 'LoginState' },
);
export type LoginState = Static<typeof LoginState>;

/** A second factor of an administrator. */
export const SecondFactor = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(factorKinds),
    name: Type.String(),
    createdTime: Time,
    lastUsedTime: optional(Time),
  },
  { title: 'SecondFactor' },
);
export type SecondFactor = Static<typeof SecondFactor>;

const Enrolled = Type.Object(
  {
    factor: SecondFactor,
    recoveryCodes: optional(
      Type.Array(Type.String(), { description: 'with the first second factor only; they are never shown again' }),
    ),
    login: LoginState,
  },
  { title: 'Enrolled' },
);

const Descriptor = Type.Object({
  id: Type.String(),
  type: Type.Literal('public-key'),
  transports: optional(Type.Array(Type.String())),
});

/** Options for `navigator.credentials.create`, as `parseCreationOptionsFromJSON` of browsers takes them. */
export const PasskeyCreation = Type.Object(
  {
    challenge: Type.String(),
    rp: Type.Object({ id: Type.String(), name: Type.String() }),
    user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
    pubKeyCredParams: Type.Array(Type.Object({ alg: Type.Integer(), type: Type.Literal('public-key') })),
    timeout: Num,
    excludeCredentials: Type.Array(Descriptor),
    authenticatorSelection: Type.Object({
      residentKey: Type.Enum(['discouraged', 'preferred', 'required']),
      userVerification: Type.Enum(['discouraged', 'preferred', 'required']),
    }),
    attestation: Type.Literal('none'),
  },
  { title: 'PasskeyCreation' },
);
export type PasskeyCreation = Static<typeof PasskeyCreation>;

/** Options for `navigator.credentials.get`, as `parseRequestOptionsFromJSON` of browsers takes them. */
export const PasskeyRequest = Type.Object(
  {
    challenge: Type.String(),
    rpId: Type.String(),
    timeout: Num,
    allowCredentials: Type.Array(Descriptor),
    userVerification: Type.Enum(['discouraged', 'preferred', 'required']),
  },
  { title: 'PasskeyRequest' },
);
export type PasskeyRequest = Static<typeof PasskeyRequest>;

/** A new passkey, as `toJSON` of the browser's credential returns it. Fields that are not listed are ignored. */
export const NewPasskey = Type.Object(
  {
    id: Base64url,
    rawId: Base64url,
    type: Type.Literal('public-key'),
    response: Type.Object({
      clientDataJSON: Base64url,
      attestationObject: Base64url,
      transports: optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 })),
    }),
  },
  { title: 'NewPasskey' },
);
export type NewPasskey = Static<typeof NewPasskey>;

/** The answer of a passkey, as `toJSON` of the browser's credential returns it. */
export const PasskeyAnswer = Type.Object(
  {
    id: Base64url,
    rawId: Base64url,
    type: Type.Literal('public-key'),
    response: Type.Object({ clientDataJSON: Base64url, authenticatorData: Base64url, signature: Base64url }),
  },
  { title: 'PasskeyAnswer' },
);
export type PasskeyAnswer = Static<typeof PasskeyAnswer>;

const Totp = Type.Object({ secret: Type.String({ description: 'in base32' }), uri: Type.String() }, { title: 'Totp' });
const RecoveryCodes = Type.Object({ recoveryCodes: Type.Array(Type.String()) }, { title: 'RecoveryCodes' });

const SetUp = closed('SetUp', { setup: Secret, name: AdministratorName, password: Secret });
const LogIn = closed('LogIn', { name: Secret, password: Secret });
const TotpCode = closed('TotpCode', { code: Type.String({ pattern: '^\\d{6}$', description: 'six digits' }) });
const RecoveryCode = closed('RecoveryCode', { code: Type.String({ minLength: 1, maxLength: 100 }) });
const LogInWithPasskey = closed('LogInWithPasskey', { credential: PasskeyAnswer });
const BeginFactor = closed('BeginFactor', { password: Password });
const AddTotp = closed('AddTotp', {
  code: Type.String({ pattern: '^\\d{6}$', description: 'six digits' }),
  name: FactorName,
});
const AddPasskey = closed('AddPasskey', { credential: NewPasskey, name: FactorName });
const WithPassword = closed('WithPassword', { password: Secret });
const ChangePassword = closed('ChangePassword', { password: Secret, newPassword: Secret });

const foreign = 'the request is not of a page of this server';
const tooMany = 'too many failed logins of this administrator, or from this address';
const noStep = 'the login is not at this step';
const passwordAsked = `${foreign}, or the password is wrong`;

/** Endpoints of setup, login and second factors, by name. */
export const adminLoginEndpoints = {
  showLogin: adminEndpoint({
    summary: 'Shows how far the caller is logged in. Never refuses.',
    scope: 'none',
    verb: 'GET',
    path: '/login',
    result: LoginState,
    problems: {},
  }),
  setUp: adminEndpoint({
    summary: 'Uses up a setup link, and begins an administrator, who must then set up a second factor.',
    scope: 'none',
    verb: 'POST',
    path: '/setup',
    body: { schema: SetUp },
    status: 201,
    result: LoginState,
    problems: {
      403: `${foreign}, or the setup link is unknown, used or expired, or for another name`,
      409: 'an administrator has the name, or the link is for the first administrator and there is one',
      429: 'too many wrong setup links from this address',
    },
  }),
  logIn: adminEndpoint({
    summary: 'Checks the password of an administrator. A second factor must follow.',
    scope: 'none',
    verb: 'POST',
    path: '/login',
    body: { schema: LogIn },
    result: LoginState,
    problems: { 401: 'the name or the password is wrong', 403: foreign, 429: tooMany },
  }),
  logInWithTotp: adminEndpoint({
    summary: 'Completes a login with a code of an authenticator app. Each code works once.',
    scope: 'login',
    verb: 'POST',
    path: '/login/totp',
    body: { schema: TotpCode },
    result: LoginState,
    problems: { 403: `${foreign}, or the code is wrong or was used`, 409: noStep, 429: tooMany },
  }),
  beginPasskeyLogin: adminEndpoint({
    summary: 'Returns a challenge for a passkey of the administrator. It works once, for five minutes.',
    scope: 'login',
    verb: 'POST',
    path: '/login/passkey-challenge',
    result: PasskeyRequest,
    problems: { 403: foreign, 409: `${noStep}, or the administrator has no passkey` },
  }),
  logInWithPasskey: adminEndpoint({
    summary: 'Completes a login with the answer of a passkey to the challenge.',
    scope: 'login',
    verb: 'POST',
    path: '/login/passkey',
    body: { schema: LogInWithPasskey },
    result: LoginState,
    problems: {
      403: `${foreign}, or the answer is not one of this passkey to this challenge`,
      409: noStep,
      429: tooMany,
    },
  }),
  logInWithRecoveryCode: adminEndpoint({
    summary: 'Completes a login with a recovery code. Each code works once.',
    scope: 'login',
    verb: 'POST',
    path: '/login/recovery-code',
    body: { schema: RecoveryCode },
    result: LoginState,
    problems: { 403: `${foreign}, or the code is wrong or was used`, 409: noStep, 429: tooMany },
  }),
  logOut: adminEndpoint({
    summary: 'Ends the session of the caller.',
    scope: 'login',
    verb: 'POST',
    path: '/logout',
    problems: { 403: foreign },
  }),
  listSecondFactors: adminEndpoint({
    summary: 'Lists the second factors of the caller.',
    scope: 'administrator',
    verb: 'GET',
    path: '/second-factors',
    result: Type.Object({ factors: Type.Array(SecondFactor), recoveryCodesLeft: Num }),
    problems: {},
  }),
  beginTotp: adminEndpoint({
    summary: 'Makes a secret for an authenticator app. Somebody who is logged in must give the password.',
    scope: 'login',
    verb: 'POST',
    path: '/second-factors/totp/begin',
    body: { schema: BeginFactor, optional: true },
    result: Totp,
    problems: { 403: passwordAsked, 409: noStep, 429: tooMany },
  }),
  addTotp: adminEndpoint({
    summary: 'Adds the authenticator app, of which it takes the first code. Completes a setup.',
    scope: 'login',
    verb: 'POST',
    path: '/second-factors/totp',
    body: { schema: AddTotp },
    status: 201,
    result: Enrolled,
    problems: { 403: `${foreign}, or the code is wrong`, 409: `${noStep}, or there is a first administrator already` },
  }),
  beginPasskey: adminEndpoint({
    summary: 'Returns the options for a new passkey. Somebody who is logged in must give the password.',
    scope: 'login',
    verb: 'POST',
    path: '/second-factors/passkey/begin',
    body: { schema: BeginFactor, optional: true },
    result: PasskeyCreation,
    problems: {
      403: passwordAsked,
      409: `${noStep}, or passkeys do not work at the address of this server`,
      429: tooMany,
    },
  }),
  addPasskey: adminEndpoint({
    summary: 'Adds a passkey. Completes a setup.',
    scope: 'login',
    verb: 'POST',
    path: '/second-factors/passkey',
    body: { schema: AddPasskey },
    status: 201,
    result: Enrolled,
    problems: {
      403: `${foreign}, or the passkey was made elsewhere or for another challenge`,
      409: `${noStep}, or there is a first administrator already`,
    },
  }),
  removeSecondFactor: adminEndpoint({
    summary: 'Removes a second factor of the caller.',
    scope: 'administrator',
    verb: 'POST',
    path: '/second-factors/{factor}/remove',
    body: { schema: WithPassword },
    problems: {
      403: passwordAsked,
      404: 'the caller has no such second factor',
      409: 'it is the last one',
      429: tooMany,
    },
  }),
  makeRecoveryCodes: adminEndpoint({
    summary: 'Makes new recovery codes for the caller. The old ones become void.',
    scope: 'administrator',
    verb: 'POST',
    path: '/recovery-codes',
    body: { schema: WithPassword },
    result: RecoveryCodes,
    problems: { 403: passwordAsked, 429: tooMany },
  }),
  changePassword: adminEndpoint({
    summary: 'Changes the password of the caller, and ends all other sessions of the caller.',
    scope: 'administrator',
    verb: 'POST',
    path: '/password',
    body: { schema: ChangePassword },
    problems: { 403: passwordAsked, 429: tooMany },
  }),
} as const;
