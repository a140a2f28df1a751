// Groups, chats, rooms (specification: Endpoints, Groups, chats, rooms).
import Type, { type Static } from 'typebox';
import {
  type ArgumentForm,
  beginsFlat,
  exampleMids,
  field,
  flatChat,
  flatTargets,
  isStruct,
  reqSeqBeside,
  type Struct,
} from './argument-forms.ts';
import { Contact } from './contacts.ts';
import { chatTypes, updateChatAttributes } from './enums.ts';
import { syncReason } from './messaging.ts';
import { arg, rpc } from './method.ts';
import { Bool, Empty, I32, I64, I64Text, list, Mid, Nothing, NumericEnum, optional, ReqSeq, Text } from './schema.ts';

const ChatType = NumericEnum('ChatType', chatTypes);
/**
 * A name of a chat. The schema allows more characters than the limit for names. So a name over the limit reaches the
 * method, whose error names the limit.
 */
const ChatName = Text(1000);
const members = list(Mid, 'chatMembers');

export const GroupExtra = Type.Object(
  {
    creator: Type.String(),
    creatorMid: Type.String(),
    preventedJoinByTicket: Bool,
    invitationTicket: Type.String(),
    memberMids: optional(list(Mid)),
    inviteeMids: optional(list(Mid)),
    addFriendDisabled: Bool,
    ticketDisabled: Bool,
    autoName: Bool,
  },
  { title: 'GroupExtra' },
);

/** A chat as the caller sees it. */
export const Chat = Type.Object(
  {
    type: ChatType,
    chatMid: Mid,
    createdTime: I64Text,
    notificationDisabled: Bool,
    favoriteTimestamp: I64Text,
    chatName: Type.String(),
    picturePath: optional(Type.String()),
    extra: optional(Type.Object({ groupExtra: optional(GroupExtra), peerExtra: optional(Empty) })),
  },
  { title: 'Chat' },
);
export type Chat = Static<typeof Chat>;

/** The chat in a call of updateChat. The server reads only the fields that `updatedAttribute` selects. */
export const ChatUpdate = Type.Object(
  {
    chatMid: Mid,
    type: optional(ChatType),
    createdTime: optional(I64),
    notificationDisabled: optional(Bool),
    favoriteTimestamp: optional(I64),
    chatName: optional(ChatName),
    picturePath: optional(Text(1000)),
    extra: optional(
      Type.Object({
        groupExtra: optional(
          Type.Object({ preventedJoinByTicket: optional(Bool), invitationTicket: optional(Text(100)) }),
        ),
      }),
    ),
  },
  { title: 'ChatUpdate' },
);
export type ChatUpdate = Static<typeof ChatUpdate>;

export const Room = Type.Object(
  {
    mid: Mid,
    createdTime: I64Text,
    contacts: list(Contact),
    notificationDisabled: Bool,
    memberMids: list(Mid),
  },
  { title: 'Room' },
);
export type Room = Static<typeof Room>;

const chatRequest = arg('request', Type.Object({ reqSeq: ReqSeq, chatMid: Mid }));
const targetsRequest = arg('request', Type.Object({ reqSeq: ReqSeq, chatMid: Mid, targetUserMids: members }));
/** The operations that deliver a system message about a change of a chat's members or name. */
const systemMessage = [
  { type: 'SEND_MESSAGE', to: 'self', when: 'a system message' },
  { type: 'RECEIVE_MESSAGE', to: 'members', when: 'a system message' },
] as const;
const noSuchChat = ['NOT_FOUND', 'INVALID_MID', 'NOT_A_MEMBER'] as const;

/**
 * Returns the bits of `updatedAttribute` for the fields that are set. The type has no bit, because it never changes.
 */
function bitsOf(fields: Struct): number {
  const extra = field(field(fields, 'extra'), 'groupExtra');
  const bits: readonly [unknown, number][] = [
    [fields.chatName, updateChatAttributes.NAME],
    [fields.picturePath, updateChatAttributes.PICTURE_STATUS],
    [field(extra, 'preventedJoinByTicket'), updateChatAttributes.PREVENTED_JOIN_BY_TICKET],
    [fields.notificationDisabled, updateChatAttributes.NOTIFICATION_SETTING],
    [field(extra, 'invitationTicket'), updateChatAttributes.INVITATION_TICKET],
    [fields.favoriteTimestamp, updateChatAttributes.FAVORITE_TIMESTAMP],
  ];
  return bits.reduce((sum, [value, bit]) => (value === undefined ? sum : sum + bit), 0);
}

const changedFields: ArgumentForm = {
  description: 'reqSeq, the changed fields of the chat, and 0 instead of the bits of those fields',
  example: [1, { chatMid: exampleMids.chat, chatName: 'Tea' }, 0],
  matches: beginsFlat,
  canonical: ([reqSeq, fields, bits]) => [
    { reqSeq, chat: fields, updatedAttribute: bits || (isStruct(fields) ? bitsOf(fields) : 0) },
  ],
};

export const chats = {
  'TalkService.createChat': rpc({
    summary: 'Creates a group and invites its targets, or creates a room whose targets are members at once.',
    auth: 'user',
    limit: 'write',
    countsEach: 'request.targetUserMids',
    reqSeq: 'request',
    args: [
      arg(
        'request',
        Type.Object({
          reqSeq: ReqSeq,
          type: ChatType,
          name: optional(ChatName),
          targetUserMids: members,
          picturePath: optional(Text(1000)),
        }),
      ),
    ],
    alsoTakes: [
      reqSeqBeside('reqSeq in front of the struct', { type: 0, name: 'Tea', targetUserMids: [exampleMids.user] }),
    ],
    result: Type.Object({ chat: Chat }),
    errors: ['NOT_FOUND', 'INVALID_MID'],
    emits: [
      { type: 'CREATE_CHAT', to: 'self' },
      { type: 'INVITE_INTO_CHAT', to: 'self', when: 'for a group' },
      { type: 'NOTIFIED_INVITE_INTO_CHAT', to: 'invitees', when: 'for a group' },
      { type: 'NOTIFIED_JOIN_CHAT', to: 'members', when: 'for a room' },
      { type: 'SEND_MESSAGE', to: 'self', when: 'for a group: a system message for each invitee' },
    ],
  }),
  'TalkService.updateChat': rpc({
    summary: 'Changes the attributes of a chat that the bit mask selects.',
    auth: 'user',
    limit: 'write',
    reqSeq: 'request',
    args: [arg('request', Type.Object({ reqSeq: ReqSeq, chat: ChatUpdate, updatedAttribute: I32 }))],
    alsoTakes: [changedFields],
    result: Empty,
    errors: noSuchChat,
    emits: [
      { type: 'UPDATE_CHAT', to: 'self' },
      { type: 'NOTIFIED_UPDATE_CHAT', to: 'members', when: 'not for personal attributes' },
      {
        type: 'NOTIFIED_UPDATE_CHAT',
        to: 'invitees',
        when: 'not for personal attributes',
      },
      { type: 'SEND_MESSAGE', to: 'self', when: 'a system message: for a new name' },
      { type: 'RECEIVE_MESSAGE', to: 'members', when: 'a system message: for a new name' },
    ],
  }),
  'TalkService.inviteIntoChat': rpc({
    summary: 'Invites users into a group, or adds them to a room.',
    auth: 'user',
    limit: 'write',
    countsEach: 'request.targetUserMids',
    reqSeq: 'request',
    args: [targetsRequest],
    alsoTakes: flatTargets,
    result: Empty,
    errors: noSuchChat,
    emits: [
      { type: 'INVITE_INTO_CHAT', to: 'self' },
      { type: 'NOTIFIED_INVITE_INTO_CHAT', to: 'invitees' },
      { type: 'NOTIFIED_INVITE_INTO_CHAT', to: 'members' },
      { type: 'NOTIFIED_JOIN_CHAT', to: 'members', when: 'for each of up to 32 new members of a room' },
      { type: 'SEND_MESSAGE', to: 'self', when: 'for a group: a system message for each invitee' },
      { type: 'RECEIVE_MESSAGE', to: 'members', when: 'for a group: a system message for each invitee' },
    ],
  }),
  'TalkService.deleteOtherFromChat': rpc({
    summary: 'Removes members from a group.',
    auth: 'user',
    limit: 'write',
    countsEach: 'request.targetUserMids',
    reqSeq: 'request',
    args: [targetsRequest],
    alsoTakes: flatTargets,
    result: Empty,
    errors: [...noSuchChat, 'INVALID_STATE'],
    emits: [
      { type: 'DELETE_OTHER_FROM_CHAT', to: 'self' },
      { type: 'NOTIFIED_DELETE_OTHER_FROM_CHAT', to: 'target' },
      { type: 'NOTIFIED_DELETE_OTHER_FROM_CHAT', to: 'members' },
      { type: 'NOTIFIED_LEAVE_CHAT', to: 'members' },
      ...systemMessage,
    ],
  }),
  'TalkService.cancelChatInvitation': rpc({
    summary: 'Withdraws invitations.',
    auth: 'user',
    limit: 'write',
    countsEach: 'request.targetUserMids',
    reqSeq: 'request',
    args: [targetsRequest],
    alsoTakes: flatTargets,
    result: Empty,
    errors: [...noSuchChat, 'NOT_AN_INVITEE'],
    emits: [
      { type: 'CANCEL_CHAT_INVITATION', to: 'self' },
      { type: 'NOTIFIED_CANCEL_CHAT_INVITATION', to: 'target' },
      { type: 'NOTIFIED_CANCEL_CHAT_INVITATION', to: 'members' },
      ...systemMessage,
    ],
  }),
  'TalkService.deleteSelfFromChat': rpc({
    summary: 'Leaves a chat.',
    auth: 'user',
    limit: 'write',
    reqSeq: 'request',
    args: [
      arg(
        'request',
        Type.Object({
          reqSeq: ReqSeq,
          chatMid: Mid,
          lastSeenMessages: optional(Type.Array(Type.Unknown(), { maxItems: 1000 })),
          lastSeenMessageDeliveredTime: optional(I64),
          lastSeenMessageId: optional(Text(64)),
          lastMessageDeliveredTime: optional(I64),
          lastMessageId: optional(Text(64)),
        }),
      ),
    ],
    alsoTakes: [flatChat('two values: reqSeq, chat', [])],
    result: Empty,
    errors: noSuchChat,
    emits: [
      { type: 'DELETE_SELF_FROM_CHAT', to: 'self' },
      { type: 'NOTIFIED_DELETE_SELF_FROM_CHAT', to: 'members' },
      { type: 'NOTIFIED_LEAVE_CHAT', to: 'members' },
      { type: 'RECEIVE_MESSAGE', to: 'members', when: 'a system message' },
    ],
  }),
  'TalkService.rejectChatInvitation': rpc({
    summary: 'Declines an invitation.',
    auth: 'user',
    limit: 'write',
    reqSeq: 'request',
    args: [chatRequest],
    alsoTakes: [flatChat('two values: reqSeq, chat', [])],
    result: Empty,
    errors: ['NOT_FOUND', 'INVALID_MID', 'NOT_AN_INVITEE'],
    emits: [{ type: 'REJECT_CHAT_INVITATION', to: 'self' }],
  }),
  'TalkService.acceptChatInvitation': rpc({
    summary: 'Accepts an invitation and becomes a member.',
    auth: 'user',
    limit: 'write',
    reqSeq: 'request',
    args: [chatRequest],
    alsoTakes: [flatChat('two values: reqSeq, chat', [])],
    result: Empty,
    errors: ['NOT_FOUND', 'INVALID_MID', 'NOT_AN_INVITEE'],
    emits: [
      { type: 'ACCEPT_CHAT_INVITATION', to: 'self' },
      { type: 'NOTIFIED_ACCEPT_CHAT_INVITATION', to: 'members' },
      { type: 'NOTIFIED_JOIN_CHAT', to: 'members' },
      ...systemMessage,
    ],
  }),
  'TalkService.getAllChatMids': rpc({
    summary: 'Returns the chats that the caller is a member of, and those it is invited to.',
    auth: 'user',
    limit: 'read',
    args: [
      arg('request', Type.Object({ withMemberChats: optional(Bool), withInvitedChats: optional(Bool) })),
      syncReason,
    ],
    result: Type.Object({ memberChatMids: list(Mid), invitedChatMids: list(Mid) }, { title: 'ChatMids' }),
    errors: [],
  }),
  'TalkService.getChats': rpc({
    summary: 'Returns chats that the caller is in or invited to; others are left out.',
    auth: 'user',
    limit: 'read',
    args: [
      arg(
        'request',
        Type.Object({
          chatMids: list(Mid, 'midsPerCall'),
          withMembers: optional(Bool),
          withInvitees: optional(Bool),
        }),
      ),
      syncReason,
    ],
    result: Type.Object({ chats: list(Chat) }),
    errors: [],
  }),
  'TalkService.inviteIntoRoom': rpc({
    summary: 'Adds users to a room.',
    auth: 'user',
    limit: 'write',
    countsEach: 'contactIds',
    reqSeq: 'first',
    args: [arg('reqSeq', ReqSeq), arg('roomMid', Mid), arg('contactIds', members)],
    result: Nothing,
    errors: noSuchChat,
    emits: [
      { type: 'INVITE_INTO_ROOM', to: 'self' },
      { type: 'NOTIFIED_INVITE_INTO_ROOM', to: 'target' },
      { type: 'NOTIFIED_JOIN_CHAT', to: 'members', when: 'for each of up to 32 new members' },
      { type: 'NOTIFIED_INVITE_INTO_CHAT', to: 'members', when: 'for more than 32 new members' },
    ],
  }),
  'TalkService.leaveRoom': rpc({
    summary: 'Leaves a room, and removes its messages from the view of the caller.',
    auth: 'user',
    limit: 'write',
    reqSeq: 'first',
    args: [arg('reqSeq', ReqSeq), arg('roomMid', Mid)],
    result: Nothing,
    errors: noSuchChat,
    emits: [
      { type: 'LEAVE_ROOM', to: 'self' },
      { type: 'SEND_CHAT_REMOVED', to: 'self' },
      { type: 'NOTIFIED_LEAVE_ROOM', to: 'members' },
      { type: 'NOTIFIED_LEAVE_CHAT', to: 'members' },
    ],
  }),
  'TalkService.getRoomsV2': rpc({
    summary: 'Returns rooms that the caller is in; others are left out.',
    auth: 'user',
    limit: 'read',
    args: [arg('roomMids', list(Mid, 'midsPerCall'))],
    result: list(Room),
    errors: [],
  }),
} as const;
