// Messaging (specification: Endpoints, Messaging).
import Type, { type Static } from 'typebox';
import { beginsFlat, exampleMids, field, flatChat, present, reqSeqBeside, type Struct } from './argument-forms.ts';
import { midTypes, syncReasons } from './enums.ts';
import { Message, OutgoingMessage, ReactionType } from './message.ts';
import { arg, optionalArg, rpc } from './method.ts';
import {
  Bool,
  countUpTo,
  I8,
  I32,
  I64,
  I64Text,
  list,
  MessageId,
  Mid,
  Nothing,
  NumericEnum,
  optional,
  ReqSeq,
  Text,
} from './schema.ts';

export const SyncReason = NumericEnum('SyncReason', syncReasons);
export const syncReason = optionalArg('syncReason', SyncReason);

export const MessageBox = Type.Object(
  {
    id: Type.String({
      ...{ minLength: 1, maxLength: 64 },
      description: 'mid of the group or room; of a chat of two people, the mid of the other one',
    }),
    midType: NumericEnum('MIDType', midTypes),
    unreadCount: optional(I64Text),
    lastMessages: optional(list(Message)),
    lastDeliveredMessageId: optional(Type.Object({ deliveredTime: I64Text, messageId: I64Text })),
    lastSeenMessageId: optional(I64Text),
    lastRemovedMessageId: optional(I64Text),
    lastRemovedTime: optional(I64Text),
    hiddenAtMessageId: optional(I64Text),
  },
  { title: 'MessageBox' },
);
export type MessageBox = Static<typeof MessageBox>;

export const ReadRange = Type.Object(
  {
    chatId: Mid,
    ranges: Type.Record(
      Type.String(),
      list(Type.Object({ startMessageId: I64Text, endMessageId: I64Text, startTime: I64Text, endTime: I64Text })),
    ),
  },
  { title: 'TMessageReadRange' },
);

/** Describes a count of messages in a page of history. */
const RECENT = '; absent or below 0: recentMessages; 0: none';

export const messaging = {
  'TalkService.sendMessage': rpc({
    summary: "Stores a message and appends it to every member's operation log.",
    auth: 'user',
    limit: 'send',
    reqSeq: 'first',
    args: [arg('reqSeq', ReqSeq), arg('message', OutgoingMessage)],
    result: Message,
    errors: [
      'NOT_FOUND',
      'INVALID_MID',
      'NOT_A_MEMBER',
      'INCOMPATIBLE_APP_VERSION',
      'MESSAGE_NOT_FOUND',
      'USER_NOT_STICKER_OWNER',
      'USER_NOT_STICON_OWNER',
      'E2EE_INVALID_PROTOCOL',
      'E2EE_RETRY_ENCRYPT',
      'E2EE_UPDATE_SENDER_KEY',
      'E2EE_UPDATE_RECEIVER_KEY',
      'E2EE_INVALID_ARGUMENT',
      'E2EE_INVALID_VERSION',
      'E2EE_SENDER_DISABLED',
      'E2EE_RECEIVER_DISABLED',
      'E2EE_RECEIVER_NOT_ALLOWED',
      'E2EE_RETRY_PLAIN',
      'E2EE_RECREATE_GROUP_KEY',
      'E2EE_GROUP_TOO_MANY_MEMBERS',
      'DUPLICATED',
      'OBJECT_QUOTA',
    ],
    emits: [
      { type: 'SEND_MESSAGE', to: 'self' },
      { type: 'RECEIVE_MESSAGE', to: 'members' },
    ],
  }),
  'TalkService.unsendMessage': rpc({
    summary: "Unsends one of the caller's messages; a tombstone stays.",
    auth: 'user',
    limit: 'write',
    reqSeq: 'first',
    args: [arg('reqSeq', ReqSeq), arg('messageId', MessageId)],
    result: Nothing,
    errors: ['MESSAGE_NOT_DESTRUCTIBLE', 'MESSAGE_NOT_FOUND'],
    emits: [
      { type: 'DESTROY_MESSAGE', to: 'self' },
      { type: 'NOTIFIED_DESTROY_MESSAGE', to: 'members' },
    ],
  }),
  'TalkService.sendChatChecked': rpc({
    summary: "Moves the caller's read mark of a chat forward.",
    auth: 'user',
    limit: 'write',
    reqSeq: 'first',
    args: [arg('reqSeq', ReqSeq), arg('consumer', Mid), arg('lastMessageId', MessageId), optionalArg('sessionId', I8)],
    result: Nothing,
    errors: ['NOT_FOUND', 'INVALID_MID', 'NOT_A_MEMBER'],
    emits: [
      { type: 'SEND_CHAT_CHECKED', to: 'self' },
      { type: 'NOTIFIED_READ_MESSAGE', to: 'members' },
    ],
  }),
  'TalkService.sendChatRemoved': rpc({
    summary: "Removes a chat's history up to a message, for the caller only. Message id 0 removes all.",
    auth: 'user',
    limit: 'write',
    reqSeq: 'first',
    args: [arg('reqSeq', ReqSeq), arg('chatMid', Mid), arg('lastMessageId', MessageId), optionalArg('sessionId', I8)],
    result: Nothing,
    errors: ['NOT_FOUND', 'INVALID_MID', 'NOT_A_MEMBER'],
    emits: [{ type: 'SEND_CHAT_REMOVED', to: 'self' }],
  }),
  'TalkService.setChatHiddenStatus': rpc({
    summary: 'Hides a chat until there is a newer message than the one given, or shows it again.',
    auth: 'user',
    limit: 'write',
    reqSeq: 'request',
    args: [
      arg('request', Type.Object({ reqSeq: ReqSeq, chatMid: Mid, lastMessageId: optional(MessageId), hidden: Bool })),
    ],
    alsoTakes: [flatChat('three values: reqSeq, chat, hidden', [true], ([, , hidden]) => ({ hidden }))],
    result: Nothing,
    errors: ['NOT_FOUND', 'INVALID_MID', 'NOT_A_MEMBER'],
    emits: [{ type: 'SEND_CHAT_HIDDEN', to: 'self' }],
  }),
  'TalkService.react': rpc({
    summary: "Sets the caller's reaction to a message and replaces an earlier one.",
    auth: 'user',
    limit: 'write',
    reqSeq: 'request',
    args: [arg('request', Type.Object({ reqSeq: ReqSeq, messageId: MessageId, reactionType: ReactionType }))],
    alsoTakes: [
      reqSeqBeside(
        'reqSeq in front of the struct, the reaction as its number',
        { messageId: 1, reactionType: { type: 2 } },
        ({ messageId, reactionType }) => {
          const type = field(reactionType, 'type');
          return { messageId, reactionType: type === undefined ? reactionType : { predefinedReactionType: type } };
        },
      ),
    ],
    result: Nothing,
    errors: ['MESSAGE_NOT_FOUND'],
    emits: [
      { type: 'SEND_REACTION', to: 'self' },
      { type: 'NOTIFIED_SEND_REACTION', to: 'members' },
    ],
  }),
  'TalkService.cancelReaction': rpc({
    summary: "Removes the caller's reaction to a message.",
    auth: 'user',
    limit: 'write',
    reqSeq: 'request',
    args: [arg('request', Type.Object({ reqSeq: ReqSeq, messageId: MessageId }))],
    alsoTakes: [
      reqSeqBeside(
        'reqSeq in front of the struct, which may name a reaction',
        { messageId: 1, reactionType: { type: 0 } },
        ({ messageId }) => ({ messageId }),
      ),
    ],
    result: Nothing,
    errors: ['MESSAGE_NOT_FOUND'],
    emits: [
      { type: 'SEND_REACTION', to: 'self' },
      { type: 'NOTIFIED_SEND_REACTION', to: 'members' },
    ],
  }),
  'TalkService.sendPostback': rpc({
    summary: 'Tells an official account that a button of its message was pressed.',
    auth: 'user',
    limit: 'write',
    args: [arg('request', Type.Object({ messageId: MessageId, url: Text(2000), chatMID: Mid, originMID: Mid }))],
    alsoTakes: [
      {
        description: 'three values: reqSeq, official account, data; no source message',
        example: [1, exampleMids.user, 'data'],
        matches: (args) => args.length === 3 && typeof args[0] === 'number',
        canonical: ([, to, data]) => [{ messageId: '0', url: data, chatMID: to, originMID: to }],
      },
    ],
    result: Nothing,
    errors: ['MESSAGE_NOT_FOUND', 'NOT_FOUND'],
    emits: [{ type: 'NOTIFIED_POSTBACK', to: 'target' }],
  }),
  'TalkService.determineMediaMessageFlow': rpc({
    summary: 'Returns for each media type whether the chat wants it sealed (2) or plain (1).',
    auth: 'user',
    limit: 'read',
    args: [arg('request', Type.Object({ chatMid: Mid }))],
    result: Type.Object({ flowMap: Type.Record(Type.String(), I32), cacheTtlMillis: I64Text }),
    errors: ['NOT_FOUND', 'INVALID_MID', 'NOT_A_MEMBER'],
  }),
  'TalkService.getMessageReadRange': rpc({
    summary: 'Returns how far each member has read the chats.',
    auth: 'user',
    limit: 'read',
    args: [arg('chatIds', list(Mid, 'midsPerCall')), syncReason],
    result: list(ReadRange),
    errors: [],
  }),
  'TalkService.getMessageBoxesByIds': rpc({
    summary: 'Returns the message boxes of the given chats; unknown ones are left out.',
    auth: 'user',
    limit: 'read',
    args: [
      arg(
        'request',
        Type.Object({
          messageBoxIds: list(Mid, 'messageBoxesPerPage'),
          withUnreadCount: optional(Bool),
          lastMessagesCount: optional(countUpTo('messagesPerPage', '; absent or below 0: 1')),
        }),
      ),
      syncReason,
    ],
    alsoTakes: [
      {
        description: 'the list of chats instead of the struct',
        example: [[exampleMids.chat]],
        matches: ([ids]) => Array.isArray(ids),
        canonical: ([messageBoxIds, ...rest]) => [
          { messageBoxIds, withUnreadCount: true, lastMessagesCount: 1 },
          ...rest,
        ],
      },
    ],
    result: Type.Object({ messageBoxesByIds: Type.Record(Type.String(), MessageBox) }),
    errors: [],
  }),
  'TalkService.getMessagesByIds': rpc({
    summary: 'Returns the messages that the caller may read; others are left out.',
    auth: 'user',
    limit: 'read',
    args: [arg('messageIds', list(MessageId, 'messagesPerPage'))],
    result: list(Message),
    errors: [],
  }),
  'TalkService.getMessageBoxes': rpc({
    summary: "Returns a page of the caller's message boxes, in the order of their chat ids.",
    auth: 'user',
    limit: 'read',
    args: [
      arg(
        'request',
        Type.Object({
          minChatId: optional(Type.String({ maxLength: 64 })),
          maxChatId: optional(Type.String({ maxLength: 64 })),
          activeOnly: optional(Bool),
          unreadOnly: optional(Bool),
          messageBoxCountLimit: optional(countUpTo('messageBoxesPerPage', '; absent or below 0: syncMessageBoxes')),
          withUnreadCount: optional(Bool),
          lastMessagesPerMessageBoxCount: optional(countUpTo('messagesPerPage', '; absent or below 0: 5')),
        }),
      ),
      syncReason,
    ],
    alsoTakes: [
      {
        description: 'three values: first chat id, how many, syncReason',
        example: ['', 20, 0],
        matches: (args) => typeof args[0] === 'string' || (args.length === 3 && beginsFlat(args)),
        // In this older form, a client cannot ask for the last messages of each chat. Clients need these messages, so
        // they are always returned.
        canonical: ([minChatId, messageBoxCountLimit, ...rest]) => [
          present({ minChatId, messageBoxCountLimit, withUnreadCount: true, lastMessagesPerMessageBoxCount: 1 }),
          ...rest,
        ],
      },
    ],
    result: Type.Object({ messageBoxes: list(MessageBox), hasNext: Bool }),
    errors: [],
  }),
  'TalkService.getPreviousMessagesV2WithRequest': rpc({
    summary: 'Returns messages older than a boundary, newest first. The boundary itself is not included.',
    auth: 'user',
    limit: 'read',
    args: [
      arg(
        'request',
        Type.Object({
          messageBoxId: Mid,
          endMessageId: optional(Type.Object({ messageId: optional(MessageId), deliveredTime: optional(I64) })),
          messagesCount: optional(countUpTo('messagesPerPage', RECENT)),
          withReadCount: optional(Type.Boolean({ description: 'boolean, without effect: answers have no readCount' })),
          receivedOnly: optional(Bool),
        }),
      ),
      syncReason,
    ],
    alsoTakes: [
      {
        description: 'the fields chatId, endSeq and limit for messageBoxId, the boundary and messagesCount',
        example: [{ chatId: exampleMids.chat, endSeq: '100', limit: 20, withReadCount: true }],
        matches: ([request]) => field(request, 'chatId') !== undefined && field(request, 'messageBoxId') === undefined,
        canonical: ([request, ...rest]) => {
          const { chatId, endSeq, limit, withReadCount } = request as Struct;
          const endMessageId = endSeq === undefined ? undefined : { messageId: endSeq };
          return [present({ messageBoxId: chatId, endMessageId, messagesCount: limit, withReadCount }), ...rest];
        },
      },
    ],
    result: list(Message),
    errors: ['NOT_FOUND', 'INVALID_MID', 'NOT_A_MEMBER'],
  }),
  'TalkService.getRecentMessagesV2': rpc({
    summary: 'Returns the newest messages of a chat, newest first.',
    auth: 'user',
    limit: 'read',
    args: [arg('messageBoxId', Mid), optionalArg('messagesCount', countUpTo('messagesPerPage', RECENT))],
    result: list(Message),
    errors: ['NOT_FOUND', 'INVALID_MID', 'NOT_A_MEMBER'],
  }),
  'TalkService.getLastOpRevision': rpc({
    summary: "Returns the newest revision of the caller's operation log.",
    auth: 'user',
    limit: 'read',
    args: [],
    result: I64Text,
    errors: [],
  }),
} as const;
