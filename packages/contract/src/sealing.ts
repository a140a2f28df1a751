// Keys of Letter Sealing (specification: Endpoints, End-to-end encryption keys).
import Type, { type Static } from 'typebox';
import { exampleMids, field, isStruct } from './argument-forms.ts';
import { limits } from './limits.ts';
import { syncReason } from './messaging.ts';
import { arg, rpc } from './method.ts';
import { Base64, Bool, I32, I64, I64Text, list, Mid, optional, ReqSeq, Text } from './schema.ts';

export const E2EEPublicKey = Type.Object(
  { version: I32, keyId: I32, keyData: Base64, createdTime: I64Text },
  { title: 'E2EEPublicKey' },
);
export type E2EEPublicKey = Static<typeof E2EEPublicKey>;

export const E2EEGroupSharedKey = Type.Object(
  {
    keyVersion: I32,
    groupKeyId: I32,
    creator: Mid,
    creatorKeyId: I32,
    receiver: Mid,
    receiverKeyId: I32,
    encryptedSharedKey: Base64,
    allowedTypes: list(I32),
    specVersion: I32,
  },
  { title: 'E2EEGroupSharedKey' },
);
export type E2EEGroupSharedKey = Static<typeof E2EEGroupSharedKey>;

/**
 * The result of negotiating a key. If sealing is off, there is no key, `allowedTypes` is empty and `specVersion` is -1.
 */
export const E2EENegotiationResult = Type.Object(
  { allowedTypes: list(I32), publicKey: optional(E2EEPublicKey), specVersion: I32 },
  { title: 'E2EENegotiationResult' },
);
export type E2EENegotiationResult = Static<typeof E2EENegotiationResult>;

const version = arg('keyVersion', I32);
const noSuchChat = ['NOT_FOUND', 'INVALID_MID', 'NOT_A_MEMBER'] as const;
const members = limits.chatMembers.value;

export const sealing = {
  'TalkService.getE2EEPublicKey': rpc({
    summary: 'Returns one public key of a user, current or old.',
    auth: 'user',
    limit: 'read',
    args: [arg('mid', Mid), version, arg('keyId', I32)],
    result: E2EEPublicKey,
    errors: ['NOT_FOUND', 'INVALID_MID'],
  }),
  'TalkService.negotiateE2EEPublicKey': rpc({
    summary: 'Returns the key to seal for, and the content types that may be sealed.',
    auth: 'user',
    limit: 'read',
    args: [arg('mid', Mid)],
    result: E2EENegotiationResult,
    errors: ['NOT_FOUND', 'INVALID_MID'],
  }),
  'TalkService.getE2EEPublicKeysEx': rpc({
    summary: "Returns the caller's own public keys.",
    auth: 'user',
    limit: 'read',
    args: [arg('ignoreE2EEGroupKey', Bool), syncReason],
    result: list(E2EEPublicKey),
    errors: [],
  }),
  'TalkService.registerE2EEGroupKey': rpc({
    summary: "Registers a new key of a chat, wrapped for each member's current key.",
    auth: 'user',
    limit: 'write',
    args: [
      version,
      arg('chatMid', Mid),
      arg('members', list(Mid, members)),
      arg('keyIds', list(I32, members)),
      arg('encryptedSharedKeys', list(Text(256), members)),
    ],
    result: E2EEGroupSharedKey,
    errors: [
      ...noSuchChat,
      'E2EE_INVALID_ARGUMENT',
      'E2EE_RETRY_PLAIN',
      'E2EE_RECREATE_GROUP_KEY',
      'E2EE_GROUP_TOO_MANY_MEMBERS',
    ],
  }),
  'TalkService.getE2EEGroupSharedKey': rpc({
    summary: "Returns the caller's share of one key of a chat.",
    auth: 'user',
    limit: 'read',
    args: [version, arg('chatMid', Mid), arg('groupKeyId', I32)],
    result: E2EEGroupSharedKey,
    errors: noSuchChat,
  }),
  'TalkService.getLastE2EEGroupSharedKey': rpc({
    summary:
      "Returns the caller's share of the newest key of a chat, as long as that key fits the members and their current keys.",
    auth: 'user',
    limit: 'read',
    args: [version, arg('chatMid', Mid)],
    result: E2EEGroupSharedKey,
    errors: [...noSuchChat, 'E2EE_RETRY_PLAIN', 'E2EE_GROUP_TOO_MANY_MEMBERS'],
  }),
  'TalkService.getLastE2EEPublicKeys': rpc({
    summary: 'Returns the newest key of each member of a chat, the caller included.',
    auth: 'user',
    limit: 'read',
    args: [arg('chatMid', Mid)],
    alsoTakes: [
      {
        description: 'a struct of chat and members instead of the chat',
        example: [{ chatMid: exampleMids.chat, members: [exampleMids.user] }],
        matches: ([request]) => isStruct(request),
        canonical: ([request]) => [field(request, 'chatMid')],
      },
    ],
    result: Type.Record(Type.String(), E2EEPublicKey),
    errors: [...noSuchChat, 'E2EE_RETRY_PLAIN', 'E2EE_GROUP_TOO_MANY_MEMBERS'],
  }),
  'TalkService.registerE2EEPublicKey': rpc({
    summary:
      'Registers a public key of the caller permanently and returns it with its id. A known key is returned as it is.',
    auth: 'user',
    limit: 'write',
    reqSeq: 'first',
    args: [
      arg('reqSeq', ReqSeq),
      arg(
        'publicKey',
        Type.Object({ version: optional(I32), keyId: optional(I32), keyData: Text(256), createdTime: optional(I64) }),
      ),
    ],
    result: E2EEPublicKey,
    errors: ['E2EE_INVALID_ARGUMENT', 'E2EE_INVALID_VERSION'],
    emits: [
      { type: 'REGISTER_E2EE_PUBLICKEY', to: 'self' },
      { type: 'NOTIFIED_E2EE_KEY_UPDATE', to: 'party' },
    ],
    origin: 'extension',
  }),
  'TalkService.getE2EEPublicKeys': rpc({
    summary: "Returns the caller's own public keys.",
    auth: 'user',
    limit: 'read',
    args: [],
    result: list(E2EEPublicKey),
    errors: [],
    origin: 'extension',
  }),
} as const;
