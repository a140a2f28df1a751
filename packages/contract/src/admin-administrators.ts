// Endpoints of the admin API for administrators, their sessions, and scoped tokens.
import Type, { type Static } from 'typebox';
import { adminEndpoint, tokenScopes } from './admin-endpoint.ts';
import { AdministratorName, factorKinds } from './admin-login.ts';
import { closed, Time } from './admin-schemas.ts';
import { optional } from './schema.ts';

/** An administrator of the server. */
export const Administrator = Type.Object(
  {
    name: Type.String(),
    factors: Type.Array(Type.Enum(factorKinds)),
    createdTime: Time,
    lastLoginTime: optional(Time),
  },
  { title: 'Administrator' },
);
export type Administrator = Static<typeof Administrator>;

/** A session of an administrator. `current` is true for the session of the caller. */
export const AdminSession = Type.Object(
  {
    id: Type.String(),
    administrator: Type.String(),
    current: Type.Boolean(),
    remoteAddress: Type.String(),
    userAgent: Type.String(),
    createdTime: Time,
    lastSeenTime: Time,
    expiresTime: Time,
  },
  { title: 'AdminSession' },
);
export type AdminSession = Static<typeof AdminSession>;

/** A link that lets somebody become an administrator. */
export const SetupLink = Type.Object(
  { link: Type.String(), expiresTime: Time, name: optional(Type.String()) },
  { title: 'SetupLink' },
);

/** A token for machines. */
export const AdminToken = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    scopes: Type.Array(Type.Enum(tokenScopes)),
    createdBy: Type.String(),
    createdTime: Time,
    expiresTime: optional(Time),
    lastUsedTime: optional(Time),
  },
  { title: 'AdminToken' },
);
export type AdminToken = Static<typeof AdminToken>;

/** A new token for machines with its secret, which is shown only once. */
export const MadeToken = Type.Object(
  { ...AdminToken.properties, token: Type.String({ description: 'never shown again' }) },
  { title: 'MadeToken' },
);

/**
 * The beginning of every token that an administrator makes. Programs that look for leaked secrets recognize tokens by
 * it.
 */
export const TOKEN_PREFIX = 'sealpost_admin_';

const CreateSetupLink = closed('CreateSetupLink', { name: optional(AdministratorName) });
const CreateToken = closed('CreateToken', {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  scopes: Type.Array(Type.Enum(tokenScopes), { minItems: 1, maxItems: tokenScopes.length, uniqueItems: true }),
  days: optional(Type.Integer({ minimum: 1, maximum: 3650, description: 'days until it expires' })),
});

/** Endpoints of administrators, sessions and tokens, by name. */
export const administratorEndpoints = {
  listAdministrators: adminEndpoint({
    summary: 'Lists administrators by name.',
    scope: 'server',
    verb: 'GET',
    path: '/administrators',
    result: Type.Object({ administrators: Type.Array(Administrator) }),
    problems: {},
  }),
  createSetupLink: adminEndpoint({
    summary: 'Makes a link with which somebody becomes an administrator. It works once, for 15 minutes.',
    scope: 'server',
    verb: 'POST',
    path: '/setup-links',
    body: { schema: CreateSetupLink, optional: true },
    status: 201,
    result: SetupLink,
    problems: { 409: 'an administrator has the name' },
  }),
  removeAdministrator: adminEndpoint({
    summary: 'Removes an administrator and ends its sessions.',
    scope: 'server',
    verb: 'DELETE',
    path: '/administrators/{administrator}',
    query: Type.Object({ last: optional(Type.Boolean()) }),
    problems: {
      404: 'no administrator has the name',
      409: 'it is the last administrator, and the query does not say `last=true`',
    },
  }),
  listAdminSessions: adminEndpoint({
    summary: 'Lists the sessions of all administrators, newest first.',
    scope: 'server',
    verb: 'GET',
    path: '/sessions',
    result: Type.Object({ sessions: Type.Array(AdminSession) }),
    problems: {},
  }),
  endAdminSession: adminEndpoint({
    summary: 'Ends a session of an administrator.',
    scope: 'server',
    verb: 'DELETE',
    path: '/sessions/{session}',
    problems: { 404: 'no live session has the id' },
  }),
  listTokens: adminEndpoint({
    summary: 'Lists the made tokens, newest first. The tokens themselves are not stored.',
    scope: 'server',
    verb: 'GET',
    path: '/tokens',
    result: Type.Object({ tokens: Type.Array(AdminToken) }),
    problems: {},
  }),
  createToken: adminEndpoint({
    summary: 'Makes a token for a machine, with scopes. The answer shows it once.',
    scope: 'server',
    verb: 'POST',
    path: '/tokens',
    body: { schema: CreateToken },
    status: 201,
    result: MadeToken,
    location: 'id',
    problems: {},
  }),
  revokeToken: adminEndpoint({
    summary: 'Revokes a made token.',
    scope: 'server',
    verb: 'DELETE',
    path: '/tokens/{token}',
    problems: { 404: 'no token has the id' },
  }),
} as const;
