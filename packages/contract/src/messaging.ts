// Messaging (specification: Endpoints, Messaging).
import Type, { type Static } from 'typebox';
import { midTypes, syncReasons } from './enums.ts';
import { limits } from './limits.ts';
import { Message, OutgoingMessage, ReactionType } from './message.ts';
import { arg, optionalArg, rpc } from './method.ts';
import {
  Bool,
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
    id: Mid,
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
    ],
    emits: [
      { type: 'SEND_MESSAGE', to: 'self', params: 'message' },
      { type: 'RECEIVE_MESSAGE', to: 'members', params: 'message' },
    ],
  }),
  'TalkService.unsendMessage': rpc({
    summary: 'Takes back an own message; a tombstone stays.',
    auth: 'user',
    limit: 'write',
    reqSeq: 'first',
    args: [arg('reqSeq', ReqSeq), arg('messageId', MessageId)],
    result: Nothing,
    errors: ['MESSAGE_NOT_DESTRUCTIBLE', 'MESSAGE_NOT_FOUND'],
    emits: [
      { type: 'DESTROY_MESSAGE', to: 'self', params: 'chat, message id, "0"' },
      { type: 'NOTIFIED_DESTROY_MESSAGE', to: 'members', params: 'chat, message id, "0"' },
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
      { type: 'SEND_CHAT_CHECKED', to: 'self', params: 'chat, message id' },
      { type: 'NOTIFIED_READ_MESSAGE', to: 'members', params: 'chat, reader, message id' },
    ],
  }),
  'TalkService.sendChatRemoved': rpc({
    summary: "Removes a chat's history up to a message, for the caller only; message id 0 removes all.",
    auth: 'user',
    limit: 'write',
    reqSeq: 'first',
    args: [arg('reqSeq', ReqSeq), arg('chatMid', Mid), arg('lastMessageId', MessageId), optionalArg('sessionId', I8)],
    result: Nothing,
    errors: ['NOT_FOUND', 'INVALID_MID', 'NOT_A_MEMBER'],
    emits: [{ type: 'SEND_CHAT_REMOVED', to: 'self', params: 'chat, message id' }],
  }),
  'TalkService.setChatHiddenStatus': rpc({
    summary: 'Hides a chat until its next message, or shows it again.',
    auth: 'user',
    limit: 'write',
    reqSeq: 'request',
    args: [
      arg('request', Type.Object({ reqSeq: ReqSeq, chatMid: Mid, lastMessageId: optional(MessageId), hidden: Bool })),
    ],
    result: Nothing,
    errors: ['NOT_FOUND', 'INVALID_MID', 'NOT_A_MEMBER'],
    emits: [{ type: 'SEND_CHAT_HIDDEN', to: 'self', params: 'chat, message id, "true" or "false"' }],
  }),
  'TalkService.react': rpc({
    summary: "Sets the caller's reaction to a message, in place of an earlier one.",
    auth: 'user',
    limit: 'write',
    reqSeq: 'request',
    args: [arg('request', Type.Object({ reqSeq: ReqSeq, messageId: MessageId, reactionType: ReactionType }))],
    result: Nothing,
    errors: ['MESSAGE_NOT_FOUND'],
    emits: [
      { type: 'SEND_REACTION', to: 'self', params: 'message id, JSON {chatMid, curr}' },
      { type: 'NOTIFIED_SEND_REACTION', to: 'members', params: 'message id, JSON {chatMid, curr}, reactor' },
    ],
  }),
  'TalkService.cancelReaction': rpc({
    summary: "Removes the caller's reaction to a message.",
    auth: 'user',
    limit: 'write',
    reqSeq: 'request',
    args: [arg('request', Type.Object({ reqSeq: ReqSeq, messageId: MessageId }))],
    result: Nothing,
    errors: ['MESSAGE_NOT_FOUND'],
    emits: [
      { type: 'SEND_REACTION', to: 'self', params: 'message id, JSON {chatMid}' },
      { type: 'NOTIFIED_SEND_REACTION', to: 'members', params: 'message id, JSON {chatMid}, reactor' },
    ],
  }),
  'TalkService.sendPostback': rpc({
    summary: 'Tells an official account that a button of its message was pressed.',
    auth: 'user',
    limit: 'write',
    args: [arg('request', Type.Object({ messageId: MessageId, url: Text(2000), chatMID: Mid, originMID: Mid }))],
    result: Nothing,
    errors: ['MESSAGE_NOT_FOUND', 'NOT_FOUND'],
    emits: [{ type: 'NOTIFIED_POSTBACK', to: 'target', params: 'chat, url' }],
  }),
  'TalkService.determineMediaMessageFlow': rpc({
    summary: 'Tells for each media type whether the chat wants it sealed (2) or plain (1).',
    auth: 'user',
    limit: 'read',
    args: [arg('request', Type.Object({ chatMid: Mid }))],
    result: Type.Object({ flowMap: Type.Record(Type.String(), I32), cacheTtlMillis: I64Text }),
    errors: ['NOT_FOUND', 'INVALID_MID', 'NOT_A_MEMBER'],
  }),
  'TalkService.getMessageReadRange': rpc({
    summary: 'Answers how far each member has read the chats.',
    auth: 'user',
    limit: 'read',
    args: [arg('chatIds', list(Mid, limits.midsPerCall.value)), syncReason],
    result: list(ReadRange),
    errors: [],
  }),
  'TalkService.getMessageBoxesByIds': rpc({
    summary: 'Answers the message boxes of the given chats; unknown ones are left out.',
    auth: 'user',
    limit: 'read',
    args: [
      arg(
        'request',
        Type.Object({
          messageBoxIds: list(Mid, limits.messageBoxesPerPage.value),
          withUnreadCount: optional(Bool),
          lastMessagesCount: optional(I32),
        }),
      ),
      syncReason,
    ],
    result: Type.Object({ messageBoxesByIds: Type.Record(Type.String(), MessageBox) }),
    errors: [],
  }),
  'TalkService.getMessagesByIds': rpc({
    summary: 'Answers the messages that the caller may read; others are left out.',
    auth: 'user',
    limit: 'read',
    args: [arg('messageIds', list(MessageId, limits.messagesPerPage.value))],
    result: list(Message),
    errors: [],
  }),
  'TalkService.getMessageBoxes': rpc({
    summary: "Answers a page of the caller's message boxes, in the order of their chat ids.",
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
          messageBoxCountLimit: optional(I32),
          withUnreadCount: optional(Bool),
          lastMessagesPerMessageBoxCount: optional(I32),
        }),
      ),
      syncReason,
    ],
    result: Type.Object({ messageBoxes: list(MessageBox), hasNext: Bool }),
    errors: [],
  }),
  'TalkService.getPreviousMessagesV2WithRequest': rpc({
    summary: 'Answers messages older than a boundary, newest first, without the boundary itself.',
    auth: 'user',
    limit: 'read',
    args: [
      arg(
        'request',
        Type.Object({
          messageBoxId: Mid,
          endMessageId: optional(Type.Object({ messageId: optional(MessageId), deliveredTime: optional(I64) })),
          messagesCount: optional(I32),
          withReadCount: optional(Bool),
          receivedOnly: optional(Bool),
        }),
      ),
      syncReason,
    ],
    result: list(Message),
    errors: ['NOT_FOUND', 'INVALID_MID', 'NOT_A_MEMBER'],
  }),
  'TalkService.getRecentMessagesV2': rpc({
    summary: 'Answers the newest messages of a chat, newest first.',
    auth: 'user',
    limit: 'read',
    args: [arg('messageBoxId', Mid), optionalArg('messagesCount', I32)],
    result: list(Message),
    errors: ['NOT_FOUND', 'INVALID_MID', 'NOT_A_MEMBER'],
  }),
  'TalkService.getLastOpRevision': rpc({
    summary: "Answers the newest revision of the caller's operation log.",
    auth: 'user',
    limit: 'read',
    args: [],
    result: I64Text,
    errors: [],
  }),
} as const;
