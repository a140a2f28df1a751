// The table of all errors. A method may raise only the errors that its entry declares, and those in `always`.
import { type TalkCodeName, talkCodes } from './talk-codes.ts';

export type ExceptionName =
  | 'TalkException'
  | 'ChannelException'
  | 'ShopException'
  | 'SecondaryQrCodeException'
  | 'RejectedException'
  | 'AccessTokenRefreshException';

export interface ErrorEntry {
  /** The name of the struct in `data`. A `gateway` error has no struct, and its outer code identifies it. */
  readonly exception: ExceptionName | 'gateway';
  readonly code: number;
  readonly http: number;
  /** True if the same call may succeed later. */
  readonly retry: boolean;
  /** The default `reason` on the wire. */
  readonly reason: string;
  readonly doc: string;
}

const talk = (name: TalkCodeName, reason: string, doc: string, retry = false): ErrorEntry => ({
  exception: 'TalkException',
  code: talkCodes[name],
  http: 400,
  retry,
  reason,
  doc,
});
const gateway = (code: number, http: number, reason: string, doc: string, retry = false): ErrorEntry => ({
  exception: 'gateway',
  code,
  http,
  retry,
  reason,
  doc,
});
const of = (exception: ExceptionName, code: number, reason: string, doc: string, retry = false): ErrorEntry => ({
  exception,
  code,
  http: 400,
  retry,
  reason,
  doc,
});

export const errors = {
  // Errors of the gateway. Each has its own outer code.
  REQUEST_SCHEMA: gateway(
    10003,
    400,
    'request does not fit the schema',
    'The body is not a JSON array of arguments, or an argument, a field or a header is missing.',
  ),
  REQUEST_NEED_LOGIN: gateway(
    10004,
    401,
    'REQUEST_NEED_LOGIN',
    'No access token, or one that this server does not know.',
  ),
  REQUEST_INVALID_HMAC: gateway(10005, 400, 'REQUEST_INVALID_HMAC', 'The signature is missing or wrong.'),
  REQUEST_ARGUMENT_TYPE: gateway(
    10102,
    400,
    'argument has the wrong JSON type',
    'An argument or field has the wrong JSON type.',
  ),
  AUTH_INVALID_REQUEST: gateway(
    10201,
    400,
    'AUTH_INVALID_REQUEST',
    'The refresh token is not valid. The session ends only if a token that was valid is used a second time.',
  ),
  AUTH_RETRY_REQUIRED: gateway(
    10202,
    400,
    'AUTH_RETRY_REQUIRED',
    'Refresh again later, by refreshApiRetryPolicy.',
    true,
  ),
  NOT_FOUND_PATH: gateway(10052, 404, 'RESPONSE_HTTP_ERROR', 'No such path.'),
  METHOD_NOT_ALLOWED: gateway(10052, 405, 'RESPONSE_HTTP_ERROR', 'The path does not support this verb.'),
  POLL_TIMEOUT: gateway(10052, 408, 'RESPONSE_HTTP_ERROR', 'Nothing happened during a long poll; poll again.', true),
  POLL_GONE: gateway(
    10052,
    410,
    'RESPONSE_HTTP_ERROR',
    'QR polls: the time is over, poll again. LF1 and JQ: the login is over.',
  ),
  BODY_TOO_LARGE: gateway(10052, 413, 'RESPONSE_HTTP_ERROR', 'The body is larger than the limit.'),
  UNSUPPORTED_BODY: gateway(10052, 415, 'RESPONSE_HTTP_ERROR', 'Compressed bodies are not accepted.'),
  RANGE_NOT_SATISFIABLE: gateway(10052, 416, 'RESPONSE_HTTP_ERROR', 'The range lies outside of the object.'),
  OBJECT_REQUEST: gateway(10052, 400, 'RESPONSE_HTTP_ERROR', 'A header of an object request is missing or malformed.'),
  OBJECT_FORBIDDEN: gateway(10052, 403, 'RESPONSE_HTTP_ERROR', 'Only the sender of a message uploads its object.'),
  UPLOAD_CONFLICT: gateway(
    10052,
    409,
    'RESPONSE_HTTP_ERROR',
    'Another request writes the same object; ask for its state, then continue.',
    true,
  ),
  OBJECT_QUOTA: gateway(10052, 507, 'RESPONSE_HTTP_ERROR', 'The account has no room for another object of this size.'),
  OBJECT_COMPLETE: gateway(10052, 423, 'RESPONSE_HTTP_ERROR', 'The object of this message is complete already.'),
  OVERLOADED: gateway(
    10052,
    503,
    'RESPONSE_HTTP_ERROR',
    'The server cannot take the call now, and its reason says why: a full disk, a database that does not answer, too much work. Retry after the time in Retry-After.',
    true,
  ),
  UNKNOWN_ERROR: gateway(
    99999,
    500,
    'UNKNOWN_ERROR',
    'A fault of the server; its log has the cause under the request id.',
    true,
  ),

  // Errors with talk codes.
  ILLEGAL_ARGUMENT: talk(
    'ILLEGAL_ARGUMENT',
    'illegal argument',
    'An argument has the right type but a value that is not allowed.',
  ),
  AUTHENTICATION_FAILED: talk('AUTHENTICATION_FAILED', 'Authentication Failed', 'The session has ended.'),
  INVALID_STATE: talk('INVALID_STATE', 'invalid state', 'The object is not in a state that allows this.'),
  EXCESSIVE_ACCESS: talk(
    'EXCESSIVE_ACCESS',
    'too many requests',
    'A rate limit was reached; wait for Retry-After.',
    true,
  ),
  NOT_FOUND: talk('NOT_FOUND', 'not found', 'The object does not exist, or is not visible to the caller.'),
  INVALID_LENGTH: talk('INVALID_LENGTH', 'Invalid Length', 'A value is too long, or there are too many.'),
  SESSION_LOGGED_OUT: talk(
    'NOT_AUTHORIZED_DEVICE',
    'V3_TOKEN_CLIENT_LOGGED_OUT',
    'The session was logged out, revoked or replaced: log in again.',
  ),
  INVALID_MID: talk('INVALID_MID', 'invalid mid', 'The mid is not of a known form or kind.'),
  NOT_A_MEMBER: talk('NOT_A_MEMBER', 'not a member', 'The caller is not a member of the chat.'),
  INCOMPATIBLE_APP_VERSION: talk(
    'INCOMPATIBLE_APP_VERSION',
    'this client may not send this content',
    'This kind of client may not send this content type.',
  ),
  INVALID_IDENTITY_CREDENTIAL: talk(
    'INVALID_IDENTITY_CREDENTIAL',
    'Account ID or password is invalid',
    'The credential, its key or its form is wrong; all such cases look alike.',
  ),
  ABUSE_BLOCK: talk(
    'ABUSE_BLOCK',
    'blocked user: the operator of this server disabled the account',
    'The account is disabled by the operator.',
  ),
  NOT_FRIEND: talk('NOT_FRIEND', 'not a friend', 'The other party does not accept this from strangers.'),
  NOT_ALLOWED_ADD_CONTACT: talk(
    'NOT_ALLOWED_ADD_CONTACT',
    'contact can not be added',
    'This user cannot be added as a contact.',
  ),
  NOT_ALLOWED_SECONDARY_DEVICE: talk(
    'NOT_ALLOWED_SECONDARY_DEVICE',
    'secondary devices are not allowed',
    'The account does not allow further devices (setting privacyAllowSecondaryDeviceLogin).',
  ),
  INVALID_PIN_CODE: talk('INVALID_PIN_CODE', 'invalid pin code', 'The PIN is wrong or used up.'),
  EXPIRED_REVISION: talk(
    'EXPIRED_REVISION',
    'expired revision',
    'The cursor of a polling call is older than the log, or ahead of it.',
  ),
  MESSAGE_NOT_FOUND: talk(
    'MESSAGE_NOT_FOUND',
    'message not found',
    'No chat of the caller has such a message, or it was unsent.',
  ),
  FEATURE_RESTRICTED: talk(
    'FEATURE_RESTRICTED',
    'feature restricted',
    'The operator or a setting does not allow this.',
  ),
  MESSAGE_NOT_DESTRUCTIBLE: talk(
    'MESSAGE_NOT_DESTRUCTIBLE',
    'message not destructible',
    "Not the caller's message, or too old to be unsent.",
  ),
  USER_NOT_STICKER_OWNER: talk(
    'USER_NOT_STICKER_OWNER',
    'user is not the owner of the sticker',
    'The sticker package is not owned by the sender.',
  ),
  USER_NOT_STICON_OWNER: talk(
    'USER_NOT_STICON_OWNER',
    'user is not the owner of the emoji',
    'The emoji package is not owned by the sender.',
  ),
  E2EE_INVALID_PROTOCOL: talk(
    'E2EE_INVALID_PROTOCOL',
    'invalid protocol',
    'The sealed message has a form that is not allowed.',
  ),
  E2EE_RETRY_ENCRYPT: talk(
    'E2EE_RETRY_ENCRYPT',
    'can not send using plain mode',
    'The chat wants sealed messages, or another form of sealing: seal and send again.',
  ),
  E2EE_UPDATE_SENDER_KEY: talk(
    'E2EE_UPDATE_SENDER_KEY',
    'invalid sender key',
    "The sender key in the message is not current, or not the sender's.",
  ),
  E2EE_UPDATE_RECEIVER_KEY: talk(
    'E2EE_UPDATE_RECEIVER_KEY',
    'invalid receiver key',
    'The receiver key is not current: negotiate and seal again.',
  ),
  E2EE_INVALID_ARGUMENT: talk(
    'E2EE_INVALID_ARGUMENT',
    'invalid sealed message',
    'Chunks, version or metadata of a sealed message are malformed.',
  ),
  E2EE_INVALID_VERSION: talk(
    'E2EE_INVALID_VERSION',
    'invalid e2ee version',
    'The version of the sealed message is not supported.',
  ),
  E2EE_SENDER_DISABLED: talk(
    'E2EE_SENDER_DISABLED',
    'sender disabled',
    'The sender has Letter Sealing off, or no key.',
  ),
  E2EE_RECEIVER_DISABLED: talk(
    'E2EE_RECEIVER_DISABLED',
    'receiver disabled',
    'The receiver has Letter Sealing off, or no key.',
  ),
  E2EE_SENDER_NOT_ALLOWED: talk(
    'E2EE_SENDER_NOT_ALLOWED',
    'not supported',
    'The account has Letter Sealing off or no keys, or the device sent no key: log in with type 0.',
  ),
  E2EE_RECEIVER_NOT_ALLOWED: talk(
    'E2EE_RECEIVER_NOT_ALLOWED',
    'receiver not allowed',
    'Messages of this content type cannot be sealed.',
  ),
  E2EE_UPDATE_PRIMARY_DEVICE: talk(
    'E2EE_UPDATE_PRIMARY_DEVICE',
    'update primary device',
    'The version of the sealed login is unknown: log in with type 0.',
  ),
  E2EE_PRIMARY_NOT_SUPPORT: talk(
    'E2EE_PRIMARY_NOT_SUPPORT',
    'primary device not supported',
    'No logged-in device of the account could hand over its keys: log in with type 0.',
  ),
  E2EE_RETRY_PLAIN: talk('E2EE_RETRY_PLAIN', 'member settings off', 'A member has Letter Sealing off: send plain.'),
  E2EE_RECREATE_GROUP_KEY: talk(
    'E2EE_RECREATE_GROUP_KEY',
    'group key is not registered',
    'The group key is missing or out of date: register again.',
  ),
  E2EE_GROUP_TOO_MANY_MEMBERS: talk(
    'E2EE_GROUP_TOO_MANY_MEMBERS',
    'exceed max member',
    'Too many members for a group key: send plain.',
  ),
  SERVER_BUSY: talk('SERVER_BUSY', 'server busy', 'The server cannot take the call now.', true),
  DUPLICATED: talk('DUPLICATED', 'duplicated', 'This sealed message was sent before.'),
  NOT_AN_INVITEE: talk('NOT_AN_INVITEE', 'not an invitee', 'The caller or target is not invited.'),
  SHOULD_RETRY: talk('SHOULD_RETRY', 'should retry', 'Send the same call again.', true),
  OVER_MAX_CHATS_PER_USER: talk('OVER_MAX_CHATS_PER_USER', 'too many chats', 'The account is in too many chats.'),
  MUST_REFRESH_V3_TOKEN: talk(
    'MUST_REFRESH_V3_TOKEN',
    'Access token refresh required',
    'The access token expired: refresh, then replay once.',
  ),
  REFRESH_MEDIA_FLOW: talk('REFRESH_MEDIA_FLOW', 'media flow changed', 'Ask determineMediaMessageFlow again.'),

  // Errors of the secondary QR login.
  QR_INTERNAL_ERROR: of('SecondaryQrCodeException', 0, 'internal error', 'The login cannot continue.'),
  QR_ILLEGAL_ARGUMENT: of('SecondaryQrCodeException', 1, 'illegal argument', 'A field of the request is wrong.'),
  QR_VERIFICATION_FAILED: of(
    'SecondaryQrCodeException',
    2,
    'verification failed',
    'The certificate is not valid for this account: continue with a PIN.',
  ),
  QR_NOT_ALLOWED: of(
    'SecondaryQrCodeException',
    3,
    'QR login is not allowed',
    'The account does not allow logins of secondary devices.',
  ),
  QR_RETRY_LATER: of('SecondaryQrCodeException', 5, 'retry later', 'Too early: the previous step is not done.', true),
  QR_INVALID_CONTEXT: of(
    'SecondaryQrCodeException',
    100,
    'invalid context',
    'The session is unknown or over, or a step was skipped.',
  ),

  // Errors of relations.
  REJECTED_TARGET_USER: of('RejectedException', 1, 'invalid target user', 'The user cannot be added.'),
  REJECTED_MALFORMED: of('RejectedException', 5, 'malformed request', 'A field of the request is wrong.'),

  // Errors of channels and the shop.
  CHANNEL_ILLEGAL_ARGUMENT: of('ChannelException', 0, 'illegal argument', 'Unknown channel, or a wrong argument.'),
  CHANNEL_AUTHENTICATION_FAILED: of(
    'ChannelException',
    3,
    'authentication failed',
    'The channel token is missing, expired or of another session: issue a new one.',
  ),
  SHOP_ILLEGAL_ARGUMENT: of('ShopException', 16641, 'illegal argument', 'A field of the request is wrong.'),
  SHOP_NOT_FOUND: of('ShopException', 16642, 'not found', 'No such product.'),
  SHOP_NOT_OWNED: of('ShopException', 16643, 'not available', 'The caller does not own the product.'),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorName = keyof typeof errors;

/** The errors that every method may raise without declaring them. The pipeline raises them before the handler runs. */
export const always = [
  'REQUEST_SCHEMA',
  'REQUEST_NEED_LOGIN',
  'REQUEST_INVALID_HMAC',
  'REQUEST_ARGUMENT_TYPE',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_BODY',
  'OVERLOADED',
  'UNKNOWN_ERROR',
  'ILLEGAL_ARGUMENT',
  'INVALID_LENGTH',
  'EXCESSIVE_ACCESS',
  'SESSION_LOGGED_OUT',
  'MUST_REFRESH_V3_TOKEN',
  'ABUSE_BLOCK',
  'SERVER_BUSY',
] as const satisfies readonly ErrorName[];

/** An error of the table. Any layer may throw it, and one place writes it as an answer. */
export class ApiError extends Error {
  readonly code: ErrorName;
  /** The field `reason` on the wire: what failed, and the value that caused it. */
  readonly reason: string;
  readonly parameterMap: Readonly<Record<string, string>> | null;

  constructor(code: ErrorName, reason?: string, parameterMap?: Readonly<Record<string, string>>) {
    super(`${code}: ${reason ?? errors[code].reason}`);
    this.name = 'ApiError';
    this.code = code;
    this.reason = reason ?? errors[code].reason;
    this.parameterMap = parameterMap ?? null;
  }
}
