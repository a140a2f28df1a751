// Endpoints of the admin API for invites.
import Type, { type Static } from 'typebox';
import { type AdminEndpoint, adminEndpoint } from './admin-endpoint.ts';
import { closed, Name, page, paged, Time } from './admin-schemas.ts';
import { inviteStates } from './registration.ts';
import { optional } from './schema.ts';

const given = {
  from: optional(Type.String({ maxLength: 100, description: 'who invites, as invited people see it' })),
  name: optional(Type.String({ maxLength: 100, description: 'for whom it is; a display name to begin with' })),
  note: optional(Type.String({ maxLength: 500, description: 'seen by the operator only' })),
  userid: optional(Type.String({ maxLength: 40, description: 'a user id to begin with' })),
  email: optional(Type.String({ maxLength: 254, description: 'e-mail address that the account gets' })),
  phone: optional(Type.String({ maxLength: 32, description: 'phone number that the account gets' })),
};

/** An invite as the operator sees it. */
export const Invite = Type.Object(
  {
    id: Type.String(),
    state: Type.Enum([...inviteStates]),
    uses: Type.Integer({ description: 'accounts that may be opened with it' }),
    used: Type.Integer({ description: 'accounts that were opened with it' }),
    ...given,
    createdTime: Time,
    expires: optional(Time),
    revokedTime: optional(Time),
  },
  { title: 'Invite' },
);
export type Invite = Static<typeof Invite>;

/** An invite with the accounts that were opened with it. */
export const InviteWithAccounts = Type.Object(
  { ...Invite.properties, accounts: Type.Array(Type.String(), { description: 'mids; the first 1,000' }) },
  { title: 'InviteWithAccounts' },
);

/** A new invite with its code, which is shown only once. */
export const CreatedInvite = Type.Object(
  {
    ...Invite.properties,
    code: Type.String({ description: 'shown only in this answer' }),
    link: Type.String({ description: 'address of the page where the invite is accepted' }),
  },
  { title: 'CreatedInvite' },
);
export type CreatedInvite = Static<typeof CreatedInvite>;

export const inviteLimits = { uses: 10_000, days: 3650, usualDays: 14 } as const;

const CreateInvite = closed('CreateInvite', {
  uses: optional(Type.Integer({ minimum: 1, maximum: inviteLimits.uses, description: 'accounts; 1 if absent' })),
  days: optional(
    Type.Integer({
      minimum: 0,
      maximum: inviteLimits.days,
      description: `days until it expires; ${inviteLimits.usualDays} if absent; 0: it never expires`,
    }),
  ),
  ...given,
});

/** Maximum number of accounts in one call. */
export const CHECKED_AT_ONCE = 50;

/** Whether an account could be created. */
export const AccountCheck = Type.Object(
  {
    userid: Type.String({ description: 'in normal form' }),
    email: optional(Type.String({ description: 'in normal form' })),
    phone: optional(Type.String({ description: 'in normal form' })),
    existing: optional(Type.String({ description: 'the mid of the account that has the user id already' })),
    errors: Type.Array(Type.Object({ field: Type.String(), message: Type.String() })),
  },
  { title: 'AccountCheck' },
);
export type AccountCheck = Static<typeof AccountCheck>;

const PlannedAccount = closed('PlannedAccount', {
  userid: Name,
  displayName: Name,
  email: optional(Name),
  phone: optional(Name),
  password: optional(Name),
});

const noInvite = { 404: 'no invite has the id' };

export const registrationAdminEndpoints = {
  checkAccounts: adminEndpoint({
    summary: 'Tells for each of some accounts whether it could be created. Creates nothing.',
    scope: 'accounts',
    verb: 'POST',
    path: '/account-checks',
    body: {
      schema: closed('CheckAccounts', { accounts: Type.Array(PlannedAccount, { maxItems: CHECKED_AT_ONCE }) }),
    },
    result: Type.Object({ accounts: Type.Array(AccountCheck, { description: 'in the order of the call' }) }),
    problems: {},
  }),
  createInvite: adminEndpoint({
    summary: 'Creates an invite. Its code is shown only now.',
    scope: 'accounts',
    verb: 'POST',
    path: '/invites',
    body: { schema: CreateInvite },
    status: 201,
    result: CreatedInvite,
    location: 'id',
    problems: { 409: 'nobody may register: the setting `registration` is `closed`' },
  }),
  listInvites: adminEndpoint({
    summary: 'Lists invites, newest first.',
    scope: 'accounts',
    verb: 'GET',
    path: '/invites',
    query: Type.Object({ state: optional(Type.Enum([...inviteStates])), ...page }),
    result: paged({ invites: Type.Array(Invite) }),
    problems: {},
  }),
  showInvite: adminEndpoint({
    summary: 'Shows an invite and the accounts that were opened with it.',
    scope: 'accounts',
    verb: 'GET',
    path: '/invites/{invite}',
    result: InviteWithAccounts,
    problems: noInvite,
  }),
  revokeInvite: adminEndpoint({
    summary: 'Revokes an invite. Accounts that were opened with it stay.',
    scope: 'accounts',
    verb: 'POST',
    path: '/invites/{invite}/revoke',
    result: Invite,
    problems: noInvite,
  }),
} as const satisfies Record<string, AdminEndpoint>;
