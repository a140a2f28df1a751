// Endpoints of the admin API that find accounts, and that show their sessions, keys and use of space.
import Type, { type Static } from 'typebox';
import { AccountOverview, noAccount } from './admin-account.ts';
import { adminEndpoint } from './admin-endpoint.ts';
import { adminPageLimits, Num, page, paged, Time } from './admin-schemas.ts';
import { optional } from './schema.ts';

/** Maximum number of accounts that one search reads. The cursor in its answer continues the search. */
export const searchedAtOnce = 5_000;

/** A public key of an account, for which messages to the account are sealed. */
export const PublishedKey = Type.Object(
  { keyId: Num, keyData: Type.String(), createdTime: Time, current: Type.Boolean() },
  { title: 'PublishedKey' },
);
export type PublishedKey = Static<typeof PublishedKey>;

export const peopleEndpoints = {
  searchAccounts: adminEndpoint({
    summary: `Finds accounts whose name, user id, mid, e-mail address or phone number contains a text. Reads up to ${searchedAtOnce} accounts at once; the cursor continues, also after a page without accounts.`,
    scope: 'read',
    verb: 'GET',
    path: '/search/accounts',
    query: Type.Object({
      text: optional(Type.String({ maxLength: 200 })),
      kind: optional(Type.Enum(['user', 'official'])),
      ...page,
    }),
    result: paged({ accounts: Type.Array(AccountOverview) }),
    problems: {},
  }),
  showOverview: adminEndpoint({
    summary: 'Shows an account with its number of sessions, when it was last seen, and how much it stores.',
    scope: 'read',
    verb: 'GET',
    path: '/accounts/{account}/overview',
    result: AccountOverview,
    problems: noAccount,
  }),
  listKeys: adminEndpoint({
    summary: 'Lists the public keys of an account, the oldest first.',
    scope: 'read',
    verb: 'GET',
    path: '/accounts/{account}/keys',
    result: Type.Object({ keys: Type.Array(PublishedKey) }),
    problems: noAccount,
  }),
  exportAccount: adminEndpoint({
    summary:
      'Answers with an archive of what the server has of an account: its records, and all chats, messages and media that it can see. What is sealed stays sealed. The call is in the audit log.',
    // The archive contains private messages, and the owner of the account is not notified. So tokens for machines may
    // not call this endpoint.
    scope: 'server',
    verb: 'POST',
    path: '/accounts/{account}/export',
    resultBytes: { contentType: 'application/zip', doc: 'an archive as docs/account-export.md describes it' },
    problems: noAccount,
  }),
  listLargestAccounts: adminEndpoint({
    summary: 'Lists the accounts whose media take the most bytes, the largest first.',
    scope: 'read',
    verb: 'GET',
    path: '/storage/accounts',
    query: Type.Object({ limit: optional(Type.Integer({ minimum: 1, maximum: adminPageLimits.most })) }),
    result: Type.Object({ accounts: Type.Array(AccountOverview) }),
    problems: {},
  }),
} as const;
