// An account as the operator sees it, in the admin API.
import Type, { type Static } from 'typebox';
import { Num, Time } from './admin-schemas.ts';
import { optional } from './schema.ts';

const accountFields = {
  mid: Type.String(),
  kind: Type.Enum(['user', 'official']),
  userid: Type.Union([Type.String(), Type.Null()]),
  email: Type.Union([Type.String(), Type.Null()]),
  phone: Type.Union([Type.String(), Type.Null()]),
  regionCode: Type.String(),
  displayName: Type.String(),
  disabled: Type.Boolean(),
  createdTime: Time,
};

/** An account as the operator sees it. */
export const Account = Type.Object(accountFields, { title: 'Account' });
export type Account = Static<typeof Account>;

/**
 * An account with its use of the server: the number of live sessions, the time of their last call, and the space of its
 * media.
 */
export const AccountOverview = Type.Object(
  {
    ...accountFields,
    sessions: Num,
    lastSeenTime: optional(Time),
    storage: Type.Object({ objects: Num, bytes: Num }),
  },
  { title: 'AccountOverview' },
);
export type AccountOverview = Static<typeof AccountOverview>;

export const noAccount = { 404: 'no account has the mid or userid' };
