// Rate limits by class, and the limits on sizes. Rates and the length of the log are defaults, which settings change.

/** A token bucket: `burst` at once, then `perSecond`. */
export interface RateLimit {
  readonly burst: number;
  readonly perSecond: number;
  /** Whose bucket: the calling account, or the remote address for calls before login. */
  readonly per: 'account' | 'address';
  readonly doc: string;
}

const perDay = 1 / 86_400;

export const rateLimits = {
  send: { burst: 2000, perSecond: 100, per: 'account', doc: 'messages sent' },
  write: { burst: 1000, perSecond: 50, per: 'account', doc: 'other changes' },
  read: { burst: 5000, perSecond: 500, per: 'account', doc: 'reads' },
  lookup: { burst: 200, perSecond: 200 * perDay, per: 'account', doc: 'look-ups of strangers by id or phone' },
  key: { burst: 500, perSecond: 5, per: 'address', doc: 'login keys and sessions asked for before login' },
  login: { burst: 2000, perSecond: 50, per: 'address', doc: 'steps of a login; failures are counted apart' },
} as const satisfies Record<string, RateLimit>;

export type LimitClass = keyof typeof rateLimits;

/** Failed logins; successful ones do not count. */
export const loginFailureLimits = {
  perAccount: { burst: 10, perSecond: 1 / 60 },
  perAddress: { burst: 100, perSecond: 10 / 60 },
} as const;

/** Wrong PINs over all logins of an account. */
export const pinFailureLimit = { burst: 100, perSecond: 100 * perDay } as const;

export const limits = {
  rpcBodyBytes: { value: 256 * 1024, doc: 'largest RPC body, then HTTP 413' },
  refreshBodyBytes: { value: 16 * 1024, doc: 'largest body of tokenRefresh' },
  jsonDepth: { value: 32, doc: 'deepest nesting of a JSON body' },
  textLength: { value: 10_000, doc: 'message text in UTF-16 units' },
  midsPerCall: { value: 100, doc: 'mids in one getContactsV2, getChats or getRoomsV2, then talk code 6' },
  messageBoxesPerPage: { value: 100, doc: 'boxes in one page of getMessageBoxes' },
  messagesPerPage: { value: 100, doc: 'messages in one page of history' },
  recentMessages: { value: 50, doc: 'getRecentMessagesV2 without a count' },
  chatMembers: { value: 500, doc: 'members and invitees of one chat' },
  displayName: { value: 20, doc: 'display name in characters' },
  chatName: { value: 50, doc: 'chat name in characters' },
  statusMessage: { value: 500, doc: 'status message in characters' },
  unsendWindowMs: { value: 86_400_000, doc: 'how long a message can be unsent' },
  mediaFlowTtlMs: { value: 21_600_000, doc: 'how long determineMediaMessageFlow may be cached' },
  requestMemoryMs: { value: 86_400_000, doc: 'how long a reqSeq answers its first result' },
  operationDays: { value: 30, doc: 'days that an operation stays in the log' },
  operationCount: { value: 100_000, doc: 'operations that one account keeps in the log' },
  streamBufferBytes: { value: 256 * 1024, doc: 'bytes that a slow stream may leave unread before it is closed' },
  streamPingMs: { value: 20_000, doc: 'silence on a stream after which a ping is sent' },
  streamsPerAccount: { value: 50, doc: 'open operation streams of one account; one more closes the oldest' },
  loginLifeMs: { value: 180_000, doc: 'how long a device may wait to be let in: QR code, PIN and verifier alike' },
  loginTries: { value: 5, doc: 'wrong PINs or proofs of one login, then it is over' },
  pendingLogins: { value: 10, doc: 'devices of one account that may wait to be let in at the same time' },
  pollsPerLogin: { value: 2, doc: 'open long polls of one login; one more ends the oldest' },
  longPollMaxMs: { value: 180_000, doc: 'longest wait of a long poll' },
  longPollMinMs: { value: 1_000, doc: 'shortest wait of a long poll' },
} as const satisfies Record<string, { value: number; doc: string }>;

export type LimitName = keyof typeof limits;
