// Contacts, relations, buddies (specification: Endpoints, Contacts, relations, buddies).
import Type, { type Static } from 'typebox';
import { beginsFlat, exampleMids } from './argument-forms.ts';
import {
  botActiveStatus,
  botTypes,
  calendarEventStates,
  contactRelations,
  contactStatus,
  contactTypes,
  friendRequestStatus,
  onAirLabels,
  pictureSources,
  userStatus,
} from './enums.ts';
import { syncReason } from './messaging.ts';
import { arg, optionalArg, rpc } from './method.ts';
import {
  Bool,
  Empty,
  I32,
  I64Text,
  list,
  Mid,
  Nothing,
  NumericEnum,
  optional,
  ReqSeq,
  StringMap,
  Text,
} from './schema.ts';

export const AvatarProfile = Type.Object(
  {
    version: optional(Type.String()),
    updatedMillis: optional(I64Text),
    thumbnail: optional(Type.String()),
    usablePublicly: optional(Bool),
  },
  { title: 'AvatarProfile' },
);

/** A user as the caller sees it. */
export const Contact = Type.Object(
  {
    mid: Mid,
    createdTime: I64Text,
    type: NumericEnum('ContactType', contactTypes),
    status: NumericEnum('ContactStatus', contactStatus),
    relation: NumericEnum('ContactRelation', contactRelations),
    displayName: Type.String(),
    phoneticName: optional(Type.String()),
    displayNameOverridden: optional(Type.String()),
    pictureStatus: optional(Type.String()),
    thumbnailUrl: optional(Type.String()),
    picturePath: optional(Type.String()),
    statusMessage: optional(Type.String()),
    statusMessageContentMetadata: optional(StringMap),
    favoriteTime: I64Text,
    capableVoiceCall: Bool,
    capableVideoCall: Bool,
    capableMyhome: Bool,
    capableBuddy: Bool,
    attributes: I32,
    settings: I64Text,
    recommendParams: optional(Type.String()),
    friendRequestStatus: optional(NumericEnum('FriendRequestStatus', friendRequestStatus)),
    musicProfile: optional(Type.String()),
    videoProfile: optional(Type.String()),
    avatarProfile: optional(AvatarProfile),
    friendRingtone: optional(Type.String()),
    friendRingbackTone: optional(Type.String()),
    nftProfile: optional(Bool),
    pictureSource: optional(NumericEnum('PictureSource', pictureSources)),
    profileId: optional(Type.String()),
  },
  { title: 'Contact' },
);
export type Contact = Static<typeof Contact>;

export const ContactCalendarEvent = Type.Object(
  {
    id: optional(Type.String()),
    state: optional(NumericEnum('ContactCalendarEventState', calendarEventStates)),
    year: optional(I32),
    month: optional(I32),
    day: optional(I32),
  },
  { title: 'ContactCalendarEvent' },
);

export const ContactEntry = Type.Object(
  {
    userStatus: NumericEnum('UserStatus', userStatus),
    snapshotTimeMillis: I64Text,
    contact: optional(Contact),
    calendarEvents: optional(Type.Object({ events: Type.Record(Type.String(), list(ContactCalendarEvent)) })),
  },
  { title: 'ContactEntry' },
);
export type ContactEntry = Static<typeof ContactEntry>;

/** Details of an official account. */
export const BuddyDetail = Type.Object(
  {
    mid: Mid,
    memberCount: I64Text,
    onAir: Bool,
    businessAccount: Bool,
    addable: Bool,
    acceptableContentTypes: list(I32),
    capableMyhome: Bool,
    freePhoneCallable: optional(Bool),
    phoneNumberToDial: optional(Type.String()),
    needPermissionApproval: optional(Bool),
    channelId: optional(I32),
    channelProviderName: optional(Type.String()),
    iconType: optional(I32),
    botType: optional(NumericEnum('BotType', botTypes)),
    showRichMenu: optional(Bool),
    richMenuRevision: optional(I64Text),
    onAirLabel: optional(NumericEnum('OnAirLabel', onAirLabels)),
    useTheme: optional(Bool),
    themeId: optional(Type.String()),
    useBar: optional(Bool),
    barRevision: optional(I64Text),
    useBackground: optional(Bool),
    backgroundId: optional(Type.String()),
    statusBarEnabled: optional(Bool),
    statusBarRevision: optional(I64Text),
    searchId: optional(Type.String()),
    onAirVersion: optional(I32),
    blockable: optional(Bool),
    botActiveStatus: optional(NumericEnum('BotActiveStatus', botActiveStatus)),
    membershipEnabled: optional(Bool),
    legalCountryCode: optional(Type.String()),
    region: optional(Type.String()),
    botTalkroomAds: optional(Empty),
    botOaCallDetail: optional(Empty),
    buddyCautionNoticeFromCMS: optional(Empty),
    aiChatBot: optional(Bool),
    supportSpeechToText: optional(Bool),
  },
  { title: 'BuddyDetail' },
);
export type BuddyDetail = Static<typeof BuddyDetail>;

export const BuddyProfile = Type.Object(
  { buddyMid: Mid, displayName: Type.String(), picturePath: optional(Type.String()) },
  { title: 'BuddyProfile' },
);
export type BuddyProfile = Static<typeof BuddyProfile>;

/** Data on how the caller found the user. Clients send it in many forms. The server does not use it. */
export const AddFriendTracking = Type.Object(
  {
    reference: optional(Text(1000)),
    trackingMeta: optional(Type.Object({})),
    trackingMetaV2: optional(Type.Object({})),
  },
  { title: 'AddFriendTracking' },
);

const mids = list(Mid);

export const contacts = {
  'TalkService.findAndAddContactsByMid': rpc({
    summary: 'Adds users to the contacts and returns them by mid.',
    auth: 'user',
    limit: 'write',
    countsEach: 'ids',
    reqSeq: 'first',
    args: [
      arg('reqSeq', ReqSeq),
      arg('type', NumericEnum('ContactType', contactTypes)),
      arg('ids', list(Mid, 'midsPerCall')),
      optionalArg('reference', Text(1000)),
    ],
    alsoTakes: [
      {
        description: 'one user instead of type and list: reqSeq, user, type, reference',
        example: [1, exampleMids.user, 0, ''],
        matches: (args) => typeof args[1] === 'string',
        canonical: ([reqSeq, mid, type = 0, reference = '']) => [reqSeq, type, [mid], reference],
      },
    ],
    result: Type.Record(Type.String(), Contact),
    errors: ['NOT_FOUND', 'INVALID_MID', 'NOT_ALLOWED_ADD_CONTACT'],
    emits: [
      { type: 'ADD_CONTACT', to: 'self' },
      { type: 'NOTIFIED_ADD_CONTACT', to: 'target' },
      { type: 'NOTIFIED_RECOMMEND_CONTACT', to: 'target', when: 'if the caller is not a contact of the target yet' },
    ],
  }),
  'TalkService.getAllContactIds': rpc({
    summary: "Returns the mids of the caller's contacts.",
    auth: 'user',
    limit: 'read',
    args: [syncReason],
    result: mids,
    errors: [],
  }),
  'TalkService.getContactsV2': rpc({
    summary: 'Returns users as contact records; unknown mids are left out.',
    auth: 'user',
    limit: 'read',
    args: [
      arg(
        'request',
        Type.Object({
          targetUserMids: list(Mid, 'midsPerCall'),
          neededContactCalendarEvents: optional(list(I32, 16)),
          withUserStatus: optional(Bool),
        }),
      ),
      syncReason,
    ],
    result: Type.Object({ contacts: Type.Record(Type.String(), ContactEntry) }),
    errors: [],
  }),
  'TalkService.blockContact': rpc({
    summary: 'Blocks a user, whose messages, invitations and new rooms no longer reach the caller.',
    auth: 'user',
    limit: 'write',
    reqSeq: 'first',
    args: [arg('reqSeq', ReqSeq), arg('id', Mid)],
    result: Nothing,
    errors: ['NOT_FOUND', 'INVALID_MID'],
    emits: [
      { type: 'BLOCK_CONTACT', to: 'self' },
      { type: 'NOTIFIED_BLOCK_CONTACT', to: 'target', when: 'official accounts only' },
    ],
  }),
  'TalkService.unblockContact': rpc({
    summary: 'Unblocks a user.',
    auth: 'user',
    limit: 'write',
    reqSeq: 'first',
    args: [arg('reqSeq', ReqSeq), arg('id', Mid), optionalArg('reference', Text(1000))],
    result: Nothing,
    errors: ['NOT_FOUND', 'INVALID_MID'],
    emits: [
      { type: 'UNBLOCK_CONTACT', to: 'self' },
      { type: 'NOTIFIED_UNBLOCK_CONTACT', to: 'target', when: 'official accounts only' },
    ],
  }),
  'TalkService.getBlockedContactIds': rpc({
    summary: 'Returns the mids of blocked users.',
    auth: 'user',
    limit: 'read',
    args: [syncReason],
    result: mids,
    errors: [],
  }),
  'TalkService.findContactsByPhone': rpc({
    summary:
      'Finds users by exact phone number, if their settings allow it. The keys of the map are the numbers asked for.',
    auth: 'user',
    limit: 'lookup',
    countsEach: 'phones',
    args: [arg('phones', list(Text(32), 'midsPerCall'))],
    result: Type.Record(Type.String(), Contact),
    errors: [],
  }),
  'TalkService.findContactByUserid': rpc({
    summary: 'Finds a user by its exact id, if its settings allow it.',
    auth: 'user',
    limit: 'lookup',
    args: [arg('searchId', Type.String({ minLength: 1, maxLength: 100 }))],
    result: Contact,
    errors: ['NOT_FOUND'],
  }),
  'TalkService.updateContactSetting': rpc({
    summary: 'Hides, favours, renames, mutes or deletes a contact.',
    auth: 'user',
    limit: 'write',
    reqSeq: 'first',
    args: [arg('reqSeq', ReqSeq), arg('mid', Mid), arg('flag', I32), arg('value', Text(1000))],
    result: Nothing,
    errors: ['NOT_FOUND', 'INVALID_MID'],
    emits: [{ type: 'UPDATE_CONTACT', to: 'self' }],
  }),
  'TalkService.getFavoriteMids': rpc({
    summary: 'Returns the mids of favourite contacts.',
    auth: 'user',
    limit: 'read',
    args: [],
    result: mids,
    errors: [],
  }),
  'TalkService.blockRecommendation': rpc({
    summary: 'Removes a user from the recommendations.',
    auth: 'user',
    limit: 'write',
    reqSeq: 'first',
    args: [arg('reqSeq', ReqSeq), arg('id', Mid)],
    result: Nothing,
    errors: ['NOT_FOUND', 'INVALID_MID'],
    emits: [{ type: 'UPDATE_CONTACT', to: 'self' }],
  }),
  'TalkService.getRecommendationIds': rpc({
    summary: "Returns users who added the caller or share a chat, and are not the caller's contacts.",
    auth: 'user',
    limit: 'read',
    args: [syncReason],
    result: mids,
    errors: [],
  }),
  'TalkService.getBlockedRecommendationIds': rpc({
    summary: 'Returns the users removed from the recommendations.',
    auth: 'user',
    limit: 'read',
    args: [syncReason],
    result: mids,
    errors: [],
  }),
  'RelationService.addFriendByMid': rpc({
    summary: 'Adds a user to the contacts.',
    auth: 'user',
    limit: 'write',
    reqSeq: 'request',
    args: [
      arg('request', Type.Object({ reqSeq: optional(ReqSeq), userMid: Mid, tracking: optional(AddFriendTracking) })),
    ],
    alsoTakes: [
      {
        description: 'two values: reqSeq, user',
        example: [1, exampleMids.user],
        matches: (args) => args.length === 2 && beginsFlat(args),
        canonical: ([reqSeq, userMid]) => [{ reqSeq, userMid }],
      },
    ],
    result: Empty,
    errors: ['REJECTED_TARGET_USER', 'REJECTED_MALFORMED'],
    emits: [
      { type: 'ADD_CONTACT', to: 'self' },
      { type: 'NOTIFIED_ADD_CONTACT', to: 'target' },
      { type: 'NOTIFIED_RECOMMEND_CONTACT', to: 'target', when: 'if the caller is not a contact of the target yet' },
    ],
    alsoAt: ['/api/talk/thrift/Talk/RelationService/addFriendByMid'],
  }),
  'RelationService.getTargetProfileNotice': rpc({
    summary: 'Returns what a client should warn about before it shows a profile.',
    auth: 'user',
    limit: 'read',
    args: [arg('request', Type.Object({ targetUserMid: Mid }))],
    result: Type.Object({ notice: optional(Type.Object({ noticeAntiFraudDifferentRegion: Bool })) }),
    errors: ['REJECTED_TARGET_USER', 'REJECTED_MALFORMED'],
  }),
  'BuddyService.getBuddyDetail': rpc({
    summary: 'Returns the detail of an official account.',
    auth: 'user',
    limit: 'read',
    args: [arg('buddyMid', Mid)],
    result: BuddyDetail,
    errors: ['NOT_FOUND', 'INVALID_MID'],
  }),
  'BuddyService.getBuddyProfile': rpc({
    summary: 'Returns name and picture of an official account.',
    auth: 'user',
    limit: 'read',
    args: [arg('buddyMid', Mid)],
    result: BuddyProfile,
    errors: ['NOT_FOUND', 'INVALID_MID'],
    origin: 'compatibility',
  }),
  'TalkService.getContact': rpc({
    summary: 'Returns one user as a contact record.',
    auth: 'user',
    limit: 'read',
    args: [arg('id', Mid)],
    result: Contact,
    errors: ['NOT_FOUND', 'INVALID_MID'],
    origin: 'compatibility',
  }),
  'TalkService.getContacts': rpc({
    summary: 'Returns users as contact records; unknown mids are left out.',
    auth: 'user',
    limit: 'read',
    args: [arg('ids', list(Mid, 'midsPerCall'))],
    result: list(Contact),
    errors: [],
    origin: 'compatibility',
  }),
} as const;
