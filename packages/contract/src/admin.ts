// The admin API, with which the operator of a server manages accounts, reports, notices, stickers and media.
import Type, { type Static } from 'typebox';
import { Account, noAccount } from './admin-account.ts';
import { administratorEndpoints } from './admin-administrators.ts';
import { AuditEntry } from './admin-audit.ts';
import { type AdminArgsOf, type AdminEndpoint, type AdminResultOf, adminEndpoint } from './admin-endpoint.ts';
import { adminLoginEndpoints } from './admin-login.ts';
import { adminProofPath } from './admin-paths.ts';
import { peopleEndpoints } from './admin-people.ts';
import { registrationAdminEndpoints } from './admin-registration.ts';
import { retentionEndpoints } from './admin-retention.ts';
import { closed, Name, Num, Page, page, paged, Time } from './admin-schemas.ts';
import { statusEndpoints } from './admin-status.ts';
import { PendingLogin } from './devices.ts';
import { optional } from './schema.ts';

export { Account, AccountOverview } from './admin-account.ts';
export * from './admin-administrators.ts';
export { type AuditAction, AuditEntry } from './admin-audit.ts';
export * from './admin-endpoint.ts';
export * from './admin-login.ts';
export { adminRoot } from './admin-paths.ts';
export { PublishedKey, searchedAtOnce } from './admin-people.ts';
export { type FieldCode, Problem, type ProblemCode } from './admin-problem.ts';
export * from './admin-registration.ts';
export { RetentionPreview } from './admin-retention.ts';
export { adminPageLimits } from './admin-schemas.ts';
export * from './admin-status.ts';

const Code = Type.String({ pattern: '^([A-Za-z]{2})?$', description: 'two letters, or nothing' });
const AuditName = Type.String({ minLength: 1, maxLength: 200 });

/** A live session of an account as the operator sees it. */
export const AccountSession = Type.Object(
  {
    loginSessionId: Type.String(),
    systemName: Type.String(),
    modelName: Type.String(),
    name: Type.String(),
    remoteAddress: Type.String(),
    createdTime: Time,
    lastSeenTime: Time,
  },
  { title: 'AccountSession' },
);
export type AccountSession = Static<typeof AccountSession>;

/** A login that waits for confirmation. The secret that the new device sent is left out. */
export const AccountLogin = Type.Omit(PendingLogin, ['secret'], { title: 'AccountLogin' });
export type AccountLogin = Static<typeof AccountLogin>;

/** A certificate, with which a device of an account can log in without being confirmed again. */
export const Certificate = Type.Object(
  {
    id: Type.String(),
    clientKind: optional(Type.String()),
    loginSessionId: optional(Type.String()),
    createdTime: Time,
  },
  { title: 'Certificate' },
);
export type Certificate = Static<typeof Certificate>;

export const Notice = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    body: Type.String(),
    language: Type.String(),
    country: Type.String(),
    showTimingWhenLogin: Type.Boolean(),
    createdTime: Time,
    withdrawnTime: optional(Time),
  },
  { title: 'Notice' },
);
export type Notice = Static<typeof Notice>;

/** A report of abuse. */
export const Report = Type.Object(
  {
    id: Type.String(),
    status: Type.Enum(['open', 'resolved']),
    reporterMid: Type.String(),
    reportedMid: Type.String(),
    reportedDisabled: Type.Boolean(),
    createdTime: Time,
    report: Type.Unknown({ description: 'the report as it was sent, as JSON' }),
    assignedTo: optional(Type.String()),
    resolution: optional(Type.String()),
    resolvedBy: optional(Type.String()),
    resolvedTime: optional(Time),
  },
  { title: 'Report' },
);
export type Report = Static<typeof Report>;

/** A pack of stickers or emoji. */
export const Product = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(['stickers', 'emoji']),
    name: Type.String(),
    author: Type.String(),
    everyone: Type.Boolean(),
    createdTime: Time,
    pictures: Type.Array(Type.Object({ id: Type.String(), text: Type.String() })),
  },
  { title: 'Product' },
);
export type Product = Static<typeof Product>;

const CreateAccount = closed('CreateAccount', {
  userid: Name,
  password: Name,
  displayName: Name,
  email: optional(Name),
  phone: optional(Name),
  regionCode: optional(Name),
  kind: optional(Type.Enum(['user', 'official'])),
});
const PublishNotice = closed('PublishNotice', {
  title: Type.String({ minLength: 1, maxLength: 200 }),
  body: Type.String({ maxLength: 20_000 }),
  language: optional(Code),
  country: optional(Code),
  showTimingWhenLogin: optional(Type.Boolean()),
});
const ifAssignedTo = optional(
  Type.String({
    maxLength: 100,
    description: 'who takes care of it as the caller knows, or an empty text for nobody; answers 409 if that is wrong',
  }),
);
const ResolveReport = closed('ResolveReport', {
  action: Type.Enum(['dismiss', 'disable-account']),
  note: optional(Type.String({ maxLength: 2000 })),
  ifAssignedTo,
});
const AssignReport = closed('AssignReport', {
  to: optional(Type.String({ maxLength: 100, description: 'who takes care of it; nobody if it is left out' })),
  ifAssignedTo,
});
const ProductOwner = closed('ProductOwner', {
  everyone: optional(Type.Boolean()),
  account: optional(Type.String({ maxLength: 100 })),
});
const ResetPassword = closed('ResetPassword', { password: Name });
const ApproveLogin = closed('ApproveLogin', { pinCode: optional(Type.String({ maxLength: 16 })) });

const news = (when: string) => [{ type: 'SEND_ENCRYPTED_E2EE_KEY_REQUESTED', to: 'self', when }] as const;
const productsChanged = [{ type: 'NOTIFIED_UPDATE_PURCHASES', to: 'self', when: 'for one account' }] as const;

const noLogin = { 400: 'the PIN is wrong', 404: 'no account has the mid or userid, or it has no such login' };
const noProduct = { 404: 'no product has the id' };
const owner = {
  400: 'the body does not name either everyone or one account',
  404: 'no product has the id, or no account has the mid or userid',
};

/** Every endpoint of the admin API except the proof, by name. */
export const adminEndpoints = {
  ...statusEndpoints,
  ...peopleEndpoints,
  listAccounts: adminEndpoint({
    summary: 'Lists accounts in the order of their creation.',
    scope: 'read',
    verb: 'GET',
    path: '/accounts',
    query: Page,
    result: paged({ accounts: Type.Array(Account) }),
    problems: {},
  }),
  createAccount: adminEndpoint({
    summary: 'Creates an account.',
    scope: 'accounts',
    verb: 'POST',
    path: '/accounts',
    body: { schema: CreateAccount },
    status: 201,
    result: Account,
    location: 'mid',
    problems: { 409: 'the userid, e-mail address or phone number is taken' },
  }),
  showAccount: adminEndpoint({
    summary: 'Shows an account, named by mid or userid.',
    scope: 'read',
    verb: 'GET',
    path: '/accounts/{account}',
    result: Account,
    problems: noAccount,
  }),
  deleteAccount: adminEndpoint({
    summary: 'Deletes an account permanently. Its mid is not used again.',
    scope: 'accounts',
    verb: 'DELETE',
    path: '/accounts/{account}',
    problems: noAccount,
    emits: [
      { type: 'NOTIFIED_UNREGISTER_USER', to: 'friends' },
      { type: 'NOTIFIED_UPDATE_CHAT', to: 'members' },
      { type: 'NOTIFIED_UPDATE_CHAT', to: 'invitees' },
      { type: 'NOTIFIED_DELETE_SELF_FROM_CHAT', to: 'members' },
      { type: 'NOTIFIED_LEAVE_CHAT', to: 'members' },
      { type: 'RECEIVE_MESSAGE', to: 'members', when: 'a system message' },
    ],
  }),
  disableAccount: adminEndpoint({
    summary: 'Ends all sessions of an account and refuses new ones.',
    scope: 'accounts',
    verb: 'POST',
    path: '/accounts/{account}/disable',
    result: Account,
    problems: noAccount,
  }),
  enableAccount: adminEndpoint({
    summary: 'Lets a disabled account log in again.',
    scope: 'accounts',
    verb: 'POST',
    path: '/accounts/{account}/enable',
    result: Account,
    problems: noAccount,
  }),
  resetPassword: adminEndpoint({
    summary: 'Sets a new password, ends all sessions and forgets all certificates of an account.',
    scope: 'accounts',
    verb: 'POST',
    path: '/accounts/{account}/reset-password',
    body: { schema: ResetPassword },
    result: Account,
    problems: noAccount,
  }),
  listSessions: adminEndpoint({
    summary: 'Lists the live sessions of an account.',
    scope: 'read',
    verb: 'GET',
    path: '/accounts/{account}/sessions',
    result: Type.Object({ sessions: Type.Array(AccountSession) }),
    problems: noAccount,
  }),
  endSessions: adminEndpoint({
    summary: 'Ends all sessions of an account.',
    scope: 'accounts',
    verb: 'DELETE',
    path: '/accounts/{account}/sessions',
    problems: noAccount,
  }),
  endSession: adminEndpoint({
    summary: 'Ends one session of an account.',
    scope: 'accounts',
    verb: 'DELETE',
    path: '/accounts/{account}/sessions/{session}',
    problems: { 404: 'no account has the mid or userid, or it has no such live session' },
    emits: news('news is "revoked", id is that of the login session, about is a Session; if others remain'),
  }),
  listLogins: adminEndpoint({
    summary: 'Lists the devices that wait to be let into an account.',
    scope: 'read',
    verb: 'GET',
    path: '/accounts/{account}/logins',
    result: Type.Object({ logins: Type.Array(AccountLogin) }),
    problems: noAccount,
  }),
  approveLogin: adminEndpoint({
    summary: 'Lets a waiting device into an account that has no other device to confirm it.',
    scope: 'accounts',
    verb: 'POST',
    path: '/accounts/{account}/logins/{login}/approve',
    body: { schema: ApproveLogin, optional: true },
    problems: noLogin,
    emits: news(
      'news is "approved", or "denied" after the fifth wrong PIN; id is that of the login, about is a PendingLogin',
    ),
  }),
  denyLogin: adminEndpoint({
    summary: 'Refuses a waiting device.',
    scope: 'accounts',
    verb: 'POST',
    path: '/accounts/{account}/logins/{login}/deny',
    problems: { ...noLogin, 400: 'the login is over' },
    emits: news('news is "denied", id is that of the login, about is a PendingLogin'),
  }),
  listCertificates: adminEndpoint({
    summary: 'Lists the certificates of an account.',
    scope: 'read',
    verb: 'GET',
    path: '/accounts/{account}/certificates',
    result: Type.Object({ certificates: Type.Array(Certificate) }),
    problems: noAccount,
  }),
  revokeCertificates: adminEndpoint({
    summary: 'Revokes all certificates of an account.',
    scope: 'accounts',
    verb: 'DELETE',
    path: '/accounts/{account}/certificates',
    problems: noAccount,
  }),
  revokeCertificate: adminEndpoint({
    summary: 'Revokes one certificate of an account.',
    scope: 'accounts',
    verb: 'DELETE',
    path: '/accounts/{account}/certificates/{certificate}',
    problems: { 404: 'no account has the mid or userid, or it has no such certificate' },
  }),
  listAudit: adminEndpoint({
    summary: 'Lists what the operator did, newest first. Each filter names the whole value.',
    scope: 'read',
    verb: 'GET',
    path: '/audit',
    query: Type.Object({
      actor: optional(AuditName),
      action: optional(AuditName),
      subject: optional(AuditName),
      ...page,
    }),
    result: paged({ entries: Type.Array(AuditEntry) }),
    problems: {},
  }),
  listNotices: adminEndpoint({
    summary: 'Lists notices, newest first, including withdrawn ones.',
    scope: 'read',
    verb: 'GET',
    path: '/notices',
    query: Page,
    result: paged({ notices: Type.Array(Notice) }),
    problems: {},
  }),
  publishNotice: adminEndpoint({
    summary: 'Publishes a notice to all users, or to users of a language or country.',
    scope: 'moderation',
    verb: 'POST',
    path: '/notices',
    body: { schema: PublishNotice },
    status: 201,
    result: Notice,
    problems: {},
  }),
  withdrawNotice: adminEndpoint({
    summary: 'Withdraws a notice.',
    scope: 'moderation',
    verb: 'DELETE',
    path: '/notices/{notice}',
    problems: { 404: 'no published notice has the id' },
  }),
  listReports: adminEndpoint({
    summary: 'Lists reports of abuse, newest first.',
    scope: 'moderation',
    verb: 'GET',
    path: '/reports',
    query: Type.Object({ status: optional(Type.Enum(['open', 'resolved'])), ...page }),
    result: paged({ reports: Type.Array(Report) }),
    problems: {},
  }),
  showReport: adminEndpoint({
    summary: 'Shows a report with its content.',
    scope: 'moderation',
    verb: 'GET',
    path: '/reports/{report}',
    result: Report,
    problems: { 404: 'no report has the id' },
  }),
  assignReport: adminEndpoint({
    summary: 'Notes who takes care of an open report, or that nobody does.',
    scope: 'moderation',
    verb: 'POST',
    path: '/reports/{report}/assign',
    body: { schema: AssignReport },
    result: Report,
    problems: {
      404: 'no report has the id',
      409: 'the report is resolved already, or its assignee is not `ifAssignedTo`',
    },
  }),
  resolveReport: adminEndpoint({
    summary: 'Closes a report, and disables the reported account if the action says so.',
    scope: 'moderation',
    verb: 'POST',
    path: '/reports/{report}/resolve',
    body: { schema: ResolveReport },
    result: Report,
    problems: {
      404: 'no report has the id',
      409: 'the report is resolved already, its assignee is not `ifAssignedTo`, or the reported account was deleted',
    },
  }),
  listProducts: adminEndpoint({
    summary: 'Lists all packs of stickers and emoji.',
    scope: 'read',
    verb: 'GET',
    path: '/products',
    result: Type.Object({ products: Type.Array(Product) }),
    problems: {},
  }),
  importProduct: adminEndpoint({
    summary: 'Adds a pack of stickers or emoji.',
    scope: 'moderation',
    verb: 'POST',
    path: '/products',
    query: Type.Object({ everyone: optional(Type.Boolean()) }),
    body: {
      contentType: 'application/zip',
      doc: 'a zip with pack.json and the pictures',
      limitBytes: 32 * 1024 * 1024,
    },
    status: 201,
    result: Product,
    location: 'id',
    problems: { 400: 'the zip is not a pack', 409: 'the pack exists already' },
  }),
  showProduct: adminEndpoint({
    summary: 'Shows a pack with its pictures.',
    scope: 'read',
    verb: 'GET',
    path: '/products/{product}',
    result: Product,
    problems: noProduct,
  }),
  grantProduct: adminEndpoint({
    summary: 'Gives a pack to everyone, or to one account.',
    scope: 'moderation',
    verb: 'POST',
    path: '/products/{product}/grant',
    body: { schema: ProductOwner },
    result: Product,
    problems: owner,
    emits: productsChanged,
  }),
  revokeProduct: adminEndpoint({
    summary: 'Takes a pack back from everyone, or from one account.',
    scope: 'moderation',
    verb: 'POST',
    path: '/products/{product}/revoke',
    body: { schema: ProductOwner },
    result: Product,
    problems: owner,
    emits: productsChanged,
  }),
  countExpiredMedia: adminEndpoint({
    summary: 'Counts the media that would be removed if they were kept for a number of days. Removes nothing.',
    scope: 'read',
    verb: 'GET',
    path: '/media/expired',
    query: Type.Object({ days: Type.Integer({ minimum: 0, maximum: 99_999 }) }),
    result: Type.Object({ days: Num, objects: Num, bytes: Num }),
    problems: {},
  }),
  ...registrationAdminEndpoints,
  ...retentionEndpoints,
  ...adminLoginEndpoints,
  ...administratorEndpoints,
} as const satisfies Record<string, AdminEndpoint>;

/**
 * The endpoint that proves that the server owns a data folder. A caller asks for the proof before it sends the admin
 * token.
 */
export const adminProof = adminEndpoint({
  summary: 'Proves that the server owns the data folder that names it, before the caller sends it the token.',
  verb: 'GET',
  path: adminProofPath,
  scope: 'none',
  query: Type.Object({
    challenge: Type.String({ pattern: '^[\\w-]{43}$', description: '32 random bytes in base64url' }),
  }),
  result: Type.Object({ proof: Type.String({ description: 'HMAC-SHA-256 in base64url' }) }),
  problems: {},
});

type AdminEndpoints = typeof adminEndpoints;
export type AdminEndpointName = keyof AdminEndpoints;
export type AdminArgs<N extends AdminEndpointName> = AdminArgsOf<AdminEndpoints[N]>;
export type AdminResult<N extends AdminEndpointName> = AdminResultOf<AdminEndpoints[N]>;

export const adminEndpointNames = Object.keys(adminEndpoints) as AdminEndpointName[];
/** Returns the entry of an endpoint with the type `AdminEndpoint` instead of its literal type. */
export const adminEndpointOf = (name: AdminEndpointName): AdminEndpoint => adminEndpoints[name];
