// Limits on rates, failures, sizes and times. Rates are defaults that the operator can change. So are limits that name
// a setting.
import { clientLimits, type LimitEntry } from './client-limits.ts';

/** A token bucket: `burst` calls at once, then `perSecond`. */
export interface RateLimit {
  readonly burst: number;
  readonly perSecond: number;
  /** The owner of a bucket: the calling account, or the remote address for calls before login. */
  readonly per: 'account' | 'address';
  readonly doc: string;
}

const perDay = 1 / 86_400;

export const rateLimits = {
  send: { burst: 2000, perSecond: 100, per: 'account', doc: 'messages sent' },
  write: { burst: 1000, perSecond: 50, per: 'account', doc: 'other changes' },
  read: { burst: 5000, perSecond: 500, per: 'account', doc: 'reads' },
  lookup: { burst: 200, perSecond: 200 * perDay, per: 'account', doc: 'look-ups of strangers by id or phone' },
  identifier: {
    burst: 60,
    perSecond: 60 * perDay,
    per: 'account',
    doc: 'changes of the user id, e-mail address or phone number, which tell whether a name is taken',
  },
  backup: { burst: 20, perSecond: 20 * perDay, per: 'account', doc: 'reads of the sealed backup of keys' },
  log: { burst: 2000, perSecond: 50, per: 'address', doc: 'reads of the key log, which needs no login' },
  key: { burst: 500, perSecond: 5, per: 'address', doc: 'login keys and sessions asked for before login' },
  login: { burst: 2000, perSecond: 50, per: 'address', doc: 'steps of a login; failures are counted apart' },
  registration: { burst: 200, perSecond: 2, per: 'address', doc: 'calls of the registration API' },
  admin: { burst: 20, perSecond: 0.2, per: 'address', doc: 'wrong tokens of the admin API' },
} as const satisfies Record<string, RateLimit>;

export type LimitClass = keyof typeof rateLimits;

/**
 * A limit on failed attempts. The first `free` failures within a window have no consequence. After them, each further
 * attempt is allowed only after a delay. The delay doubles with each attempt, up to `longestDelaySec`. So a user who
 * waits can always try again, however many attempts of attackers fail.
 */
export interface FailureLimit {
  readonly free: number;
  readonly windowSec: number;
  readonly delaySec: number;
  readonly longestDelaySec: number;
  readonly doc: string;
}

/**
 * Limits on guessing. In any 24 hours, they allow fewer than a hundred guesses at the password of an account. They
 * allow equally few guesses at the PINs of all its logins.
 */
export const failureLimits = {
  loginPerPair: {
    free: 5,
    windowSec: 86_400,
    delaySec: 60,
    longestDelaySec: 3600,
    doc: 'failed logins of one account from one address',
  },
  loginPerAccount: {
    free: 10,
    windowSec: 86_400,
    delaySec: 60,
    longestDelaySec: 1200,
    doc: 'failed logins of one account from all addresses',
  },
  loginPerAddress: {
    free: 100,
    windowSec: 600,
    delaySec: 6,
    longestDelaySec: 60,
    doc: 'failed logins of all accounts from one address',
  },
  pinPerAccount: {
    free: 90,
    windowSec: 86_400,
    delaySec: 7200,
    longestDelaySec: 14_400,
    doc: 'wrong PINs of all logins of one account',
  },
  invitePerAddress: {
    free: 20,
    windowSec: 3600,
    delaySec: 10,
    longestDelaySec: 300,
    doc: 'wrong codes of invites from one address',
  },
} as const satisfies Record<string, FailureLimit>;

export type FailureLimits = { readonly [N in keyof typeof failureLimits]: Omit<FailureLimit, 'doc'> };

/** All limits of sizes, counts and times. */
export const limits = {
  ...clientLimits,
  rpcBodyBytes: { value: 256 * 1024, doc: 'largest RPC body, then HTTP 413' },
  refreshBodyBytes: { value: 16 * 1024, doc: 'largest body of tokenRefresh' },
  pictureBytes: { value: 8 * 1024 * 1024, doc: 'largest picture of a profile or group' },
  jsonDepth: { value: 32, doc: 'deepest nesting of a JSON body' },
  keyLogPage: { value: 1000, doc: 'keys in one page of the key log, then talk code 6' },
  messageBoxesPerPage: { value: 1000, doc: 'boxes in one page of getMessageBoxes, then talk code 6' },
  messagesPerPage: { value: 1000, doc: 'messages in one page of history, and of each box, then talk code 6' },
  pageBytes: {
    value: 32 * 1024 * 1024,
    doc: 'bytes of messages, or of members of rooms, in one answer, then talk code 6; a page of boxes ends there instead and has hasNext',
  },
  recentMessages: { value: 50, doc: 'messages in a page of history if the call names no count' },
  operationsPerPoll: { value: 1000, doc: 'operations in one answer of fetchOps, then talk code 6' },
  mediaFlowTtlMs: { value: 21_600_000, doc: 'how long determineMediaMessageFlow may be cached' },
  accessTokenMs: { value: 604_800_000, doc: 'life of an access token', setting: 'access-token-hours' },
  renewalDueMs: { value: 86_400_000, doc: 'age at which an access token should be renewed', setting: 'renewal-hours' },
  adminIdleMs: {
    value: 3_600_000,
    doc: 'time without requests after which the session of an administrator ends',
    setting: 'admin-idle-minutes',
  },
  adminSessionMs: {
    value: 43_200_000,
    doc: 'longest life of the session of an administrator',
    setting: 'admin-session-hours',
  },
  unreadCounted: { value: 1000, doc: 'newest messages of a chat among which unread ones are counted' },
  requestMemoryMs: { value: 86_400_000, doc: 'how long a repeated reqSeq gets its first result' },
  sealedRepeatMs: {
    value: 300_000,
    doc: 'how long a repeated reqSeq gets its first result if the message is sealed and has no createdTime',
  },
  operationDays: { value: 30, doc: 'days that an operation stays in the log', setting: 'operation-days' },
  operationCount: { value: 100_000, doc: 'operations that one account keeps in the log', setting: 'operation-count' },
  streamBufferBytes: { value: 256 * 1024, doc: 'bytes that a slow stream may leave unread before it is closed' },
  streamBytes: {
    value: 64 * 1024 * 1024,
    doc: 'bytes that all streams of a server may leave unread; beyond that, those that left most are closed',
    setting: 'stream-bytes',
  },
  answerBytes: {
    value: 256 * 1024 * 1024,
    doc: 'bytes of large answers that all clients of a server may leave unread; beyond that, those that left most are disconnected',
    setting: 'answer-bytes',
  },
  streamPingMs: { value: 20_000, doc: 'time from one ping of a stream to the next, whatever else it carries' },
  streamsPerAccount: {
    value: 50,
    doc: 'open operation streams of one account at each server; one more closes the oldest',
  },
  loginKeyMs: { value: 600_000, doc: 'how long a login key may be used, once' },
  loginLifeMs: { value: 180_000, doc: 'how long each step of letting a device in may take: QR code, PIN, verifier' },
  loginTries: { value: 5, doc: 'wrong PINs or proofs of one login; then the login is over' },
  pendingLogins: { value: 10, doc: 'devices of one account that may wait to be let in at the same time' },
  pollsPerLogin: { value: 2, doc: 'open long polls of one login at each server; one more ends the oldest' },
  sticonProductsPerMessage: { value: 20, doc: 'emoji packs that one message may use' },
  registrationsPerAddress: {
    value: 5,
    doc: 'accounts that one address may open without an invite within a day',
    setting: 'registrations-per-address',
  },
  registrationsPerDay: {
    value: 200,
    doc: 'accounts that may be opened without an invite within a day, from all addresses',
    setting: 'registrations-per-day',
  },
  challengeWork: {
    value: 10_000,
    doc: 'iterations of PBKDF2 for each of the about 256 tries that solve a challenge',
    setting: 'challenge-work',
  },
  challengeMs: { value: 1_200_000, doc: 'how long a challenge may be used, once' },
  channelTokenMs: { value: 43_200_000, doc: 'life of a channel token' },
  uploadWindowMs: { value: 86_400_000, doc: 'how long an object may be missing or unfinished before it is given up' },
  longPollMaxMs: { value: 180_000, doc: 'longest wait of a long poll' },
  longPollMinMs: { value: 1_000, doc: 'shortest wait of a long poll' },
} as const satisfies Record<string, LimitEntry>;

export type LimitName = keyof typeof limits;

/** The names of the limits that settings of the server can change. */
export type SettableLimit = {
  [N in LimitName]: (typeof limits)[N] extends { setting: string } ? N : never;
}[LimitName];

/**
 * The limits that a server enforces and tells its clients: the table above, with values changed by the server's
 * settings.
 */
export type Limits = { readonly [N in LimitName]: { readonly value: number } };
