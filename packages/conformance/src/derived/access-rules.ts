// The access matrix as data. For every method that takes the id of a thing, it says which accounts may make the call.
import { contentTypes, type MethodName, timelineChannel } from '@sealpost/contract';
import type { Loose } from '../raw-client.ts';

/**
 * The relations of callers to the owner, and to the owner's group and room:
 * - `self` is the owner
 * - `contact` is the other party of the owner's one-to-one chat
 * - `member`, `invitee`, `ex-member` (left) and `rejected` (declined) belong to the group
 * - `blocked` was blocked by the owner
 * - `stranger` has no relation to anybody
 */
export const relations = [
  'self',
  'contact',
  'member',
  'invitee',
  'ex-member',
  'rejected',
  'blocked',
  'stranger',
] as const;
export type Relation = (typeof relations)[number];

/**
 * The ids that the arguments of a rule may contain. If a call changes something, each caller gets the ids of newly
 * created things.
 */
export interface World {
  /** The mid of the account with each relation. */
  readonly mids: Readonly<Record<Relation, string>>;
  readonly caller: string;
  /** A group. It has a message that the owner sent and `member` reacted to. */
  readonly group: string;
  readonly groupMessage: string;
  /**
   * The arguments with which the owner registered the group key: the members, the ids of their keys, and the group key
   * wrapped for each.
   */
  readonly groupKey: [members: string[], keyIds: number[], encryptedSharedKeys: string[]];
  readonly groupKeyId: number;
  /** A room of `self` and `member`, with a message of the owner. */
  readonly room: string;
  readonly roomMessage: string;
  /** The mid by which the caller names the one-to-one chat of `self` and `contact`. */
  readonly direct: string;
  readonly directMessage: string;
  /** The id of a session of the owner; empty if the rule is not about sessions. */
  readonly loginSession: string;
  /** The id of a QR login that the owner scanned; empty if the rule is not about QR logins. */
  readonly pendingLogin: string;
  readonly official: string;
  /** A sticker pack that was given to the owner only. Its owner can put a text on the stickers. */
  readonly product: string;
  readonly sticker: string;
  /** The refresh token for the channel token of the owner's session. */
  readonly channelRefreshToken: string;
}

export interface AccessRule {
  readonly object: string;
  readonly access: 'read' | 'write';
  readonly method: MethodName;
  readonly args: (world: World) => readonly unknown[];
  readonly allowed: readonly Relation[];
  /**
   * Returns true if the answer contains the object of the rule. A rule needs this function if everybody may make the
   * call, but the answer leaves out what the caller may not see.
   */
  readonly shows?: (data: Loose, world: World) => boolean;
}

const everyone: readonly Relation[] = relations;
const nobody: readonly Relation[] = [];
const self: readonly Relation[] = ['self'];
const members: readonly Relation[] = ['self', 'member'];
const invited: readonly Relation[] = ['invitee'];
const party: readonly Relation[] = ['self', 'contact'];
const inside: readonly Relation[] = ['self', 'member', 'invitee'];

const holds = (word: (world: World) => string) => (data: Loose, world: World) =>
  JSON.stringify(data).includes(word(world));
const group = holds((w) => w.group);
const groupMessage = holds((w) => w.groupMessage);
const directMessage = holds((w) => w.directMessage);

type Rule = readonly [
  method: MethodName,
  args: AccessRule['args'],
  allowed: readonly Relation[],
  shows?: AccessRule['shows'],
];
const of = (object: string, access: AccessRule['access'], rules: readonly Rule[]): AccessRule[] =>
  rules.map(([method, args, allowed, shows]) => ({ object, access, method, args, allowed, ...(shows && { shows }) }));

const NO_SEQ = 0;
/**
 * Returns a message of a kind that is never sealed. A text would have to be sealed, because all accounts here have
 * keys.
 */
export const card = (to: string) => ({
  to,
  contentType: contentTypes.CONTACT,
  contentMetadata: { mid: to, displayName: 'somebody' },
});

const sticker = (w: World) => ({
  to: w.mids.self,
  contentType: 7,
  contentMetadata: { STKPKGID: w.product, STKID: w.sticker, STKVER: '1' },
});
const nameText = (w: World) => ({ productType: 1, productId: w.product, nameRequestEntry: { text: 'Ann' } });

export const accessRules: readonly AccessRule[] = [
  ...of('message in a group', 'read', [
    ['TalkService.getMessagesByIds', (w) => [[w.groupMessage]], members, groupMessage],
    ['TalkService.getRecentMessagesV2', (w) => [w.group, 50], members, groupMessage],
    [
      'TalkService.getPreviousMessagesV2WithRequest',
      (w) => [{ messageBoxId: w.group, messagesCount: 50 }],
      members,
      groupMessage,
    ],
  ]),
  ...of('message in a group', 'write', [
    ['TalkService.sendMessage', (w) => [NO_SEQ, card(w.group)], members],
    ['TalkService.unsendMessage', (w) => [NO_SEQ, w.groupMessage], self],
  ]),
  ...of('message in a room', 'read', [
    ['TalkService.getMessagesByIds', (w) => [[w.roomMessage]], members, holds((w) => w.roomMessage)],
  ]),
  ...of('message in a room', 'write', [['TalkService.sendMessage', (w) => [NO_SEQ, card(w.room)], members]]),
  ...of('message between two', 'read', [
    ['TalkService.getMessagesByIds', (w) => [[w.directMessage]], party, directMessage],
    ['TalkService.getRecentMessagesV2', (w) => [w.direct, 50], party, directMessage],
    [
      'TalkService.getPreviousMessagesV2WithRequest',
      (w) => [{ messageBoxId: w.direct, messagesCount: 50 }],
      party,
      directMessage,
    ],
  ]),
  ...of('message between two', 'write', [
    ['TalkService.unsendMessage', (w) => [NO_SEQ, w.directMessage], self],
    // Anybody may send messages to anybody. If the receiver has blocked the sender, the message is accepted but not
    // delivered.
    ['TalkService.sendMessage', (w) => [NO_SEQ, card(w.mids.self)], everyone],
    ['TalkService.sendPostback', (w) => [postback(w)], nobody],
  ]),
  ...of('sticker pack', 'read', [
    ['ShopService.getOwnedProductSummaries', () => ['stickershop', 0, 1000], self, holds((w) => w.product)],
    ['ShopService.previewCustomizedImageText', (w) => [nameText(w)], self],
  ]),
  ...of('sticker pack', 'write', [
    ['ShopService.setCustomizedImageText', (w) => [nameText(w)], self],
    ['TalkService.sendMessage', (w) => [NO_SEQ, sticker(w)], self],
  ]),
  ...of('channel token', 'write', [
    ['ChannelService.refreshChannelToken', (w) => [timelineChannel, w.channelRefreshToken], self],
  ]),
  ...of('reaction', 'write', [
    [
      'TalkService.react',
      (w) => [{ reqSeq: NO_SEQ, messageId: w.groupMessage, reactionType: { predefinedReactionType: 2 } }],
      members,
    ],
    ['TalkService.cancelReaction', (w) => [{ reqSeq: NO_SEQ, messageId: w.groupMessage }], members],
    [
      'TalkService.react',
      (w) => [{ reqSeq: NO_SEQ, messageId: w.directMessage, reactionType: { predefinedReactionType: 2 } }],
      party,
    ],
    ['TalkService.cancelReaction', (w) => [{ reqSeq: NO_SEQ, messageId: w.directMessage }], party],
  ]),
  ...of('box', 'read', [
    ['TalkService.getMessageBoxesByIds', (w) => [{ messageBoxIds: [w.group], lastMessagesCount: 9 }], members, group],
    [
      'TalkService.getMessageBoxes',
      () => [{ messageBoxCountLimit: 100, lastMessagesPerMessageBoxCount: 9 }],
      members,
      groupMessage,
    ],
    [
      'TalkService.getMessageBoxesByIds',
      (w) => [{ messageBoxIds: [w.direct], lastMessagesCount: 9 }],
      party,
      directMessage,
    ],
    ['TalkService.determineMediaMessageFlow', (w) => [{ chatMid: w.group }], members],
  ]),
  ...of('box', 'write', [
    ['TalkService.sendChatRemoved', (w) => [NO_SEQ, w.group, w.groupMessage], members],
    ['TalkService.setChatHiddenStatus', (w) => [{ reqSeq: NO_SEQ, chatMid: w.group, hidden: true }], members],
  ]),
  ...of('read range', 'read', [['TalkService.getMessageReadRange', (w) => [[w.group]], members, group]]),
  ...of('read range', 'write', [['TalkService.sendChatChecked', (w) => [NO_SEQ, w.group, w.groupMessage], members]]),
  ...of('group', 'read', [
    ['TalkService.getChats', (w) => [{ chatMids: [w.group], withMembers: true, withInvitees: true }], inside, group],
    ['TalkService.getAllChatMids', () => [{ withMemberChats: true, withInvitedChats: true }], inside, group],
  ]),
  ...of('group', 'write', [
    [
      'TalkService.updateChat',
      (w) => [{ reqSeq: NO_SEQ, chat: { chatMid: w.group, chatName: 'new' }, updatedAttribute: 1 }],
      members,
    ],
    [
      'TalkService.inviteIntoChat',
      (w) => [{ reqSeq: NO_SEQ, chatMid: w.group, targetUserMids: [w.mids.stranger] }],
      members,
    ],
    [
      'TalkService.deleteOtherFromChat',
      (w) => [
        {
          reqSeq: NO_SEQ,
          chatMid: w.group,
          targetUserMids: [w.caller === w.mids.member ? w.mids.self : w.mids.member],
        },
      ],
      members,
    ],
    [
      'TalkService.cancelChatInvitation',
      (w) => [{ reqSeq: NO_SEQ, chatMid: w.group, targetUserMids: [w.mids.invitee] }],
      members,
    ],
    ['TalkService.deleteSelfFromChat', (w) => [{ reqSeq: NO_SEQ, chatMid: w.group }], members],
    ['TalkService.acceptChatInvitation', (w) => [{ reqSeq: NO_SEQ, chatMid: w.group }], invited],
    ['TalkService.rejectChatInvitation', (w) => [{ reqSeq: NO_SEQ, chatMid: w.group }], invited],
  ]),
  ...of('room', 'read', [['TalkService.getRoomsV2', (w) => [[w.room]], members, holds((w) => w.room)]]),
  ...of('room', 'write', [
    ['TalkService.inviteIntoRoom', (w) => [NO_SEQ, w.room, [w.mids.stranger]], members],
    ['TalkService.leaveRoom', (w) => [NO_SEQ, w.room], members],
  ]),
  ...of('contact', 'read', [
    // Anybody who knows a user's mid may see that user's name and picture.
    ['TalkService.getContactsV2', (w) => [{ targetUserMids: [w.mids.self] }], everyone, holds((w) => w.mids.self)],
    ['TalkService.getContact', (w) => [w.mids.self], everyone],
    ['TalkService.getContacts', (w) => [[w.mids.self]], everyone, holds((w) => w.mids.self)],
    // The owner has one contact. Nobody has the owner as a contact.
    ['TalkService.getAllContactIds', () => [], self, holds((w) => w.mids.contact)],
    ['TalkService.getFavoriteMids', () => [], nobody, holds((w) => w.mids.contact)],
    ['TalkService.getBlockedContactIds', () => [], self, holds((w) => w.mids.blocked)],
    ['TalkService.getBlockedRecommendationIds', () => [], nobody, holds((w) => w.mids.contact)],
    ['TalkService.getRecommendationIds', () => [], nobody, holds((w) => w.mids.contact)],
    // A search finds a user only if a setting of that user allows it. By default, users cannot be found by phone
    // number.
    ['TalkService.findContactsByPhone', () => [['+819000000000']], nobody, holds((w) => w.mids.self)],
    ['TalkService.findContactByUserid', () => ['nobody-has-this'], nobody],
    ['RelationService.getTargetProfileNotice', (w) => [{ targetUserMid: w.mids.self }], everyone],
    ['BuddyService.getBuddyDetail', (w) => [w.official], everyone],
    ['BuddyService.getBuddyProfile', (w) => [w.official], everyone],
    ['BuddyService.getBuddyDetail', (w) => [w.mids.member], nobody],
    ['BuddyService.getBuddyProfile', (w) => [w.mids.member], nobody],
  ]),
];

const postback = (w: World) => ({
  messageId: w.directMessage,
  url: 'svcpostback:?_data=a',
  chatMID: w.direct,
  originMID: w.direct,
});

const ownShare = (data: Loose, { caller, groupKey: [mids, , shares] }: World) =>
  JSON.stringify(data).includes(shares[mids.indexOf(caller)] ?? 'no share') &&
  shares.filter((share) => JSON.stringify(data).includes(share)).length === 1;

/** The rows for group keys, sessions and pending logins. */
export const keyAndSessionRules: readonly AccessRule[] = [
  ...of('group key', 'read', [
    // A member gets only the share of the group key that was wrapped for that member.
    ['TalkService.getE2EEGroupSharedKey', (w) => [1, w.group, w.groupKeyId], members, ownShare],
    ['TalkService.getLastE2EEGroupSharedKey', (w) => [1, w.group], members, ownShare],
    // Only members see the public keys of the group. Former members and strangers do not.
    ['TalkService.getLastE2EEPublicKeys', (w) => [w.group], members],
    ['TalkService.getLastE2EEPublicKeys', (w) => [w.group], members, holds((w) => w.mids.member)],
    ['TalkService.getLastE2EEPublicKeys', (w) => [w.direct], nobody],
  ]),
  ...of('group key', 'write', [
    ['TalkService.registerE2EEGroupKey', (w) => [1, w.group, ...w.groupKey], members, ownShare],
  ]),
  ...of('session', 'read', [['PrimaryDeviceService.getSessions', () => [], self, holds((w) => w.loginSession)]]),
  ...of('session', 'write', [
    ['PrimaryDeviceService.renameSession', (w) => [{ loginSessionId: w.loginSession, name: 'renamed' }], self],
    ['PrimaryDeviceService.revokeSession', (w) => [{ loginSessionId: w.loginSession }], self],
  ]),
  ...of('pending login', 'read', [
    ['PrimaryDeviceService.getPendingLogins', () => [], self, holds((w) => w.pendingLogin)],
  ]),
  ...of('pending login', 'write', [
    // The owner has scanned the code, so no other account can scan it or approve the login.
    ['PrimaryDeviceService.scanQrCode', (w) => [{ loginId: w.pendingLogin }], self],
    ['PrimaryDeviceService.approveLogin', (w) => [{ loginId: w.pendingLogin }], self],
    ['PrimaryDeviceService.submitPinCode', (w) => [{ loginId: w.pendingLogin, pinCode: '000000' }], nobody],
    ['PrimaryDeviceService.denyLogin', (w) => [{ loginId: w.pendingLogin }], self],
  ]),
];

/**
 * Methods that need no row. Either their arguments name nothing that belongs to other accounts, or they write only to
 * the caller's account.
 */
export const ownOnly: Readonly<Partial<Record<MethodName, string>>> = {
  'AuthService.logoutV2': 'session of the caller',
  'TalkService.getEncryptedIdentityV3': 'identity of the caller',
  'TalkService.acquireEncryptedAccessToken': 'token of the caller',
  'TalkService.getLastOpRevision': 'log of the caller',
  'TalkService.fetchOps': 'log of the caller',
  'TalkService.createChat': 'a new chat of the caller; anybody may be invited',
  'TalkService.findAndAddContactsByMid': 'contacts of the caller',
  'RelationService.addFriendByMid': 'contacts of the caller',
  'TalkService.blockContact': 'contacts of the caller',
  'TalkService.unblockContact': 'contacts of the caller',
  'TalkService.updateContactSetting': 'contacts of the caller',
  'TalkService.blockRecommendation': 'recommendations of the caller',
  'TalkService.getProfile': 'profile of the caller',
  'TalkService.updateProfileAttributes': 'profile of the caller',
  'TalkService.getSettings': 'settings of the caller',
  'TalkService.getSettingsAttributes2': 'settings of the caller',
  'TalkService.updateSettingsAttributes2': 'settings of the caller',
  'TalkService.getConfigurations': 'the same for everybody',
  'TalkService.getServerTime': 'the same for everybody',
  'TalkService.reportAbuseEx': 'a note to the operator',
  'TalkService.getE2EEPublicKey': 'public by its nature',
  'TalkService.negotiateE2EEPublicKey': 'public by its nature',
  'TalkService.getE2EEPublicKeysEx': 'keys of the caller',
  'TalkService.getE2EEPublicKeys': 'keys of the caller',
  'TalkService.registerE2EEPublicKey': 'keys of the caller',
  'ChannelService.issueChannelToken': 'token of the caller',
  'TalkService.getSticonOwnershipByMid': 'products of the caller, whatever the mid says',
  'ShopService.getSticonOwnershipByMid': 'products of the caller, whatever the mid says',
  'PrimaryDeviceService.revokeOtherSessions': 'sessions of the caller',
  'PrimaryDeviceService.changePassword': 'password of the caller',
  'PrimaryDeviceService.changeIdentifiers': 'names of the caller',
  'PrimaryDeviceService.deleteAccount': 'account of the caller',
  'KeyBackupService.getBackupInfo': 'backup of the caller',
  'KeyBackupService.getBackup': 'backup of the caller',
  'KeyBackupService.putBackup': 'backup of the caller',
  'KeyBackupService.deleteBackup': 'backup of the caller',
  'PushService.getPushKey': 'the same for everybody',
  'PushService.subscribe': 'subscription of the calling session',
  'PushService.unsubscribe': 'subscription of the calling session',
};
