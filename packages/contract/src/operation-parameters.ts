// The parameters of operations (specification: Events): their names and kinds, in the order of `param1` to `param3`.
import { type OperationTypeName, operationTypes } from './operation-types.ts';

/** Separates the items of a list on the wire. */
const SEPARATOR = '\u001e';

interface Kind<T> {
  encode(value: T): string;
  /** Returns the value that a text encodes; undefined if the text does not encode a value of this kind. */
  decode(text: string): T | undefined;
}

const text: Kind<string> = { encode: (value) => value, decode: (value) => value };

const kinds = {
  mid: text,
  /** The id of a message: a 64-bit number in decimal digits. */
  messageId: text,
  text,
  mids: {
    encode: (value) => value.join(SEPARATOR),
    decode: (value) => (value === '' ? [] : value.split(SEPARATOR)),
  } satisfies Kind<readonly string[]>,
  number: {
    encode: String,
    decode: (value) => (/^-?\d{1,15}$/.test(value) ? Number(value) : undefined),
  } satisfies Kind<number>,
  boolean: {
    encode: String,
    decode: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
  } satisfies Kind<boolean>,
  /** A boolean as settings encode it: `bT` for true, `bF` for false. */
  setting: {
    encode: (value) => (value ? 'bT' : 'bF'),
    decode: (value) => (value === 'bT' ? true : value === 'bF' ? false : undefined),
  } satisfies Kind<boolean>,
  json: { encode: JSON.stringify, decode: parsed } satisfies Kind<unknown>,
};

function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** Descriptions of the kinds of parameters, for the documents. */
export const parameterKinds: { readonly [K in keyof Kinds]: string } = {
  mid: 'a mid',
  messageId: 'the id of a message',
  text: 'text',
  mids: 'mids, joined by 0x1e',
  number: 'a decimal number',
  boolean: '"true" or "false"',
  setting: '"bT" or "bF"',
  json: 'JSON',
};

type Kinds = typeof kinds;
type ParameterKind = keyof Kinds;
type ValueOf<K extends ParameterKind> = Kinds[K] extends Kind<infer T> ? T : never;

export interface Parameter {
  readonly name: string;
  readonly kind: ParameterKind;
  readonly optional?: true;
  /** The form of the value, if the kind does not tell it. */
  readonly doc?: string;
}

const p = <const N extends string, const K extends ParameterKind>(name: N, kind: K) => ({ name, kind });
const optional = <const N extends string, const K extends ParameterKind>(name: N, kind: K) =>
  ({ name, kind, optional: true }) as const;

const chatMid = p('chatMid', 'mid');
const mid = p('mid', 'mid');
const messageId = p('messageId', 'messageId');
/** A parameter that is always "0". */
const flags = p('flags', 'number');
const attributes = p('attributes', 'number');
const changed = optional('changed', 'json');
/** The reason: 0 if the member left, absent if the member was removed. */
const reason = optional('reason', 'number');
const reaction = {
  ...p('reaction', 'json'),
  doc: 'the mid of the chat and the ReactionType, for example `{"chatMid":"u…","curr":{"predefinedReactionType":3}}`; without `curr` if the reaction was removed',
} as const;

/** The operations that servers append, each with its parameters. Operations that carry a message have no parameters. */
export const operationParameters = {
  UPDATE_PROFILE: [attributes, changed],
  NOTIFIED_UPDATE_PROFILE: [mid, attributes, changed],
  ADD_CONTACT: [mid, flags],
  NOTIFIED_ADD_CONTACT: [mid],
  BLOCK_CONTACT: [mid, p('blockType', 'text')],
  UNBLOCK_CONTACT: [mid, p('blockType', 'text')],
  NOTIFIED_RECOMMEND_CONTACT: [mid],
  INVITE_INTO_ROOM: [chatMid, p('members', 'mids')],
  NOTIFIED_INVITE_INTO_ROOM: [chatMid, p('inviter', 'mid'), p('members', 'mids')],
  LEAVE_ROOM: [chatMid],
  NOTIFIED_LEAVE_ROOM: [chatMid, mid],
  SEND_MESSAGE: [],
  RECEIVE_MESSAGE: [],
  NOTIFIED_UNREGISTER_USER: [mid],
  UPDATE_SETTINGS: [p('attribute', 'number'), optional('value', 'setting')],
  SEND_CHAT_CHECKED: [chatMid, messageId],
  SEND_CHAT_REMOVED: [chatMid, messageId],
  NOTIFIED_UPDATE_PURCHASES: [],
  UPDATE_CONTACT: [mid, optional('setting', 'number')],
  NOTIFIED_READ_MESSAGE: [chatMid, p('reader', 'mid'), messageId],
  NOTIFIED_JOIN_CHAT: [chatMid, mid],
  NOTIFIED_LEAVE_CHAT: [chatMid, mid, reason],
  DESTROY_MESSAGE: [chatMid, messageId, flags],
  NOTIFIED_DESTROY_MESSAGE: [chatMid, messageId, flags],
  NOTIFIED_BLOCK_CONTACT: [mid],
  NOTIFIED_UNBLOCK_CONTACT: [mid],
  REGISTER_E2EE_PUBLICKEY: [p('keyId', 'number')],
  NOTIFIED_E2EE_KEY_UPDATE: [mid, p('keyId', 'number')],
  NOTIFIED_POSTBACK: [chatMid, p('url', 'text'), messageId],
  NOTIFIED_UPDATE_MESSAGE: [chatMid, messageId],
  CREATE_CHAT: [chatMid],
  UPDATE_CHAT: [chatMid, p('actor', 'mid'), attributes],
  NOTIFIED_UPDATE_CHAT: [chatMid, p('actor', 'mid'), attributes],
  INVITE_INTO_CHAT: [chatMid, p('invitees', 'mids')],
  NOTIFIED_INVITE_INTO_CHAT: [chatMid, p('inviter', 'mid'), p('invitees', 'mids')],
  CANCEL_CHAT_INVITATION: [chatMid, p('invitee', 'mid'), p('alsoInvitee', 'mid')],
  NOTIFIED_CANCEL_CHAT_INVITATION: [chatMid, p('canceller', 'mid'), p('invitee', 'mid')],
  DELETE_SELF_FROM_CHAT: [chatMid],
  NOTIFIED_DELETE_SELF_FROM_CHAT: [chatMid, mid],
  ACCEPT_CHAT_INVITATION: [chatMid],
  NOTIFIED_ACCEPT_CHAT_INVITATION: [chatMid, mid],
  REJECT_CHAT_INVITATION: [chatMid],
  DELETE_OTHER_FROM_CHAT: [chatMid, p('removed', 'mid')],
  NOTIFIED_DELETE_OTHER_FROM_CHAT: [chatMid, p('remover', 'mid'), p('removed', 'mid')],
  SEND_CHAT_HIDDEN: [chatMid, messageId, p('hidden', 'boolean')],
  SEND_REACTION: [messageId, reaction],
  NOTIFIED_SEND_REACTION: [messageId, reaction, p('reactor', 'mid')],
  SEND_ENCRYPTED_E2EE_KEY_REQUESTED: [p('news', 'text'), p('id', 'text'), p('about', 'json')],
} as const satisfies Partial<Record<OperationTypeName, readonly Parameter[]>>;

type Parameters = typeof operationParameters;
/** The operation types that a server appends. */
export type AppendedType = keyof Parameters;
type Fields<P extends readonly Parameter[]> = {
  readonly [E in P[number] as E extends { readonly optional: true } ? never : E['name']]: ValueOf<E['kind']>;
} & {
  readonly [E in P[number] as E extends { readonly optional: true } ? E['name'] : never]?:
    | ValueOf<E['kind']>
    | undefined;
};
/** The parameters of an operation by name. */
export type ParametersOf<T extends AppendedType> = Parameters[T] extends readonly []
  ? Record<string, never>
  : Fields<Parameters[T]>;

export type WireParameters = readonly [string | null, string | null, string | null];
const NONE: WireParameters = [null, null, null];

/** Returns `param1` to `param3` of an operation; null for those that are absent. */
export function wireParameters(type: AppendedType, params: object | undefined): WireParameters {
  if (params === undefined) return NONE;
  const given = params as Readonly<Record<string, never>>;
  const [first = null, second = null, third = null] = operationParameters[type].map(({ name, kind }) =>
    given[name] === undefined ? null : kinds[kind].encode(given[name]),
  );
  return [first, second, third];
}

/** An operation in readable form: the name of its type, and its parameters by name. */
export type NamedOperation = {
  readonly [T in AppendedType]: { readonly type: T; readonly params: ParametersOf<T> };
}[AppendedType];

const appendedTypes = Object.keys(operationParameters) as AppendedType[];
const namesByNumber = new Map<number, AppendedType>(appendedTypes.map((name) => [operationTypes[name], name]));

/**
 * Converts an operation record to its readable form. Returns undefined if servers never append operations of this type,
 * or if a parameter is missing or of another kind.
 */
export function namedOperation(record: {
  readonly type: number;
  readonly param1?: string;
  readonly param2?: string;
  readonly param3?: string;
}): NamedOperation | undefined {
  const type = namesByNumber.get(record.type);
  if (type === undefined) return undefined;
  const given = [record.param1, record.param2, record.param3];
  const params: Record<string, unknown> = {};
  const declared: readonly Parameter[] = operationParameters[type];
  for (const [index, parameter] of declared.entries()) {
    const value = given[index];
    const read = value === undefined ? undefined : kinds[parameter.kind].decode(value);
    if (read !== undefined) params[parameter.name] = read;
    else if (!parameter.optional) return undefined;
  }
  return { type, params } as NamedOperation;
}
