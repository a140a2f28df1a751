// What each command prints with --json. Only the documents and the tests load this: commands load no schemas.
import { Account, Notice, Product, Report } from '@sealpost/contract/admin';
import {
  BuddyDetail,
  BuddyProfile,
  Chat,
  Contact,
  Cover,
  KeyBackupInfo,
  Message,
  MessageBox,
  NameTextProperty,
  NoticeDocument,
  Operation,
  PendingLogin,
  Profile,
  ReactionType,
  Session,
  Settings,
} from '@sealpost/contract/schemas';
import Type, { type TProperties, type TSchema } from 'typebox';

const Text = Type.String();
const Flag = Type.Boolean();
const Whole = Type.Integer();
const { Optional: optional, Array: list } = Type;
/** Returns the schema of a struct with these fields and no others. */
const only = (fields: TProperties) => Type.Object(fields, { additionalProperties: false });
const mid = { mid: Text };
const chatMid = { chatMid: Text };
const mids = list(Text);
const ids = list(Whole);

const Sealing = Type.Object({
  state: Type.Enum(['plain', 'opened', 'unproven', 'unopened']),
  cause: optional(Text),
  remedy: optional(Text),
  detail: optional(Text),
});
const OpenedMessage = Type.Intersect([
  Message,
  Type.Object({
    sealing: Sealing,
    media: optional(Type.Object({ keyMaterial: Text, fileName: optional(Text) })),
  }),
]);
const SentMessage = Type.Intersect([Message, Type.Object({ sealed: Flag, plainBecause: optional(Text) })]);
const OpenedBox = Type.Intersect([
  Type.Omit(MessageBox, ['lastMessages']),
  Type.Object({ lastMessages: optional(list(OpenedMessage)) }),
]);
const OpenedOperation = Type.Intersect([
  Type.Omit(Operation, ['message']),
  Type.Object({ message: optional(OpenedMessage) }),
]);
/** What is absent with --list, which runs no check: results and where they come from. */
const ConformanceReport = only({
  url: optional(Text),
  brand: optional(Text),
  signature: optional(Type.Enum(['strict', 'lenient', 'off'])),
  milliseconds: optional(Whole),
  passed: optional(Whole),
  failed: optional(Whole),
  checks: list(
    only({
      id: Text,
      topic: Text,
      endpoint: Text,
      heading: Text,
      expects: Text,
      milliseconds: optional(Whole),
      passed: optional(Flag),
      expected: optional(Text),
      seen: optional(Text),
      again: optional(Text),
    }),
  ),
});
const LoggedIn = only({ login: Text, mid: Text, url: Text, keys: Whole });
const QrStep = Type.Object({
  kind: Type.Enum(['qr', 'scanned', 'pin', 'verified', 'done']),
  url: optional(Text),
  loginId: optional(Text),
  pinCode: optional(Text),
  words: optional(Text),
  login: optional(Text),
  mid: optional(Text),
});
const NewPassword = only({ account: Text, password: Text });
const CreatedAccount = Type.Intersect([Account, Type.Object({ password: optional(Text) })]);
const ShownBuddy = Type.Intersect([BuddyDetail, Type.Pick(BuddyProfile, ['displayName', 'picturePath'])]);
const ShownContact = Type.Intersect([Contact, Type.Object({ noticeAntiFraudDifferentRegion: optional(Flag) })]);
const WhoAmI = Type.Intersect([Profile, Type.Object({ url: Text })]);
const ContactTrust = Type.Object({
  mid: Text,
  state: Type.Enum(['unverified', 'verified', 'changed']),
  digits: optional(Text),
  qr: optional(Text),
  keyId: optional(Whole),
  verified: optional(Type.Object({ time: Whole, digits: Text, keyId: Whole, keyData: Text, ownKeyId: Whole })),
  changed: optional(Type.Enum(['contact', 'own', 'both'])),
});
const KeyStatus = only({
  keyIds: ids,
  missingKeyIds: ids,
  backup: optional(KeyBackupInfo),
  notInBackup: optional(ids),
  log: optional(only({ treeSize: Whole, rootHash: Text })),
  unknownOwnKeyIds: ids,
});
const AuditedLog = only({ publicKey: Text, treeSize: Whole, rootHash: Text, edge: list(Text), added: Whole });
const Saved = only({ message: Text, path: Text, size: Whole, sealed: Flag, kind: Text });
const Members = only({
  ...chatMid,
  memberMids: mids,
  inviteeMids: mids,
  sealing: optional(
    only({
      ...chatMid,
      key: optional(only({ groupKeyId: Whole, creator: Text })),
      members: list(only({ mid: Text, verified: Flag })),
      state: Type.Enum(['verified', 'unverified']),
    }),
  ),
});
const Picture = { picturePath: Text };
const Changed = only({ ...mid, change: Text });
const Hidden = only({ ...mid, hidden: Flag });
const OnUsers = only({ ...chatMid, targetUserMids: mids });
const MessageId = only({ messageId: Text });

/** The schema of what each command prints, by the path of the command. */
export const jsonOutput: Readonly<Record<string, TSchema>> = {
  config: list(
    Type.Object({
      name: Text,
      value: Text,
      source: Text,
      doc: Text,
      values: optional(list(Text)),
    }),
  ),
  'account create': CreatedAccount,
  'account list': list(Account),
  'account show': Account,
  'account disable': Account,
  'account enable': Account,
  'account reset-password': Type.Union([Account, NewPassword]),
  'account delete': only({ account: Text, deleted: Flag }),
  login: Type.Union([LoggedIn, QrStep]),
  logout: only({ loggedOut: Flag, login: optional(Text) }),
  whoami: WhoAmI,
  'devices list': list(Session),
  'devices pending': list(PendingLogin),
  'devices approve': only({ approved: Flag, loginId: Text }),
  'devices pin': only({ loginId: Text, verified: optional(Flag), approved: optional(Flag) }),
  'devices deny': only({ loginId: Text, denied: Flag }),
  'devices rename': only({ loginSessionId: Text, name: Text }),
  'devices revoke': only({ revoked: Text }),
  send: SentMessage,
  react: only({ messageId: Text, reactionType: optional(ReactionType) }),
  unsend: MessageId,
  forward: SentMessage,
  download: Saved,
  listen: OpenedOperation,
  chats: list(OpenedBox),
  history: list(OpenedMessage),
  read: only({ ...chatMid, messageId: Text }),
  readers: list(only({ ...mid, upTo: Text, time: Text })),
  hide: Hidden,
  show: Hidden,
  clear: only({ ...chatMid, cleared: Flag }),
  'group list': only({ chats: list(Chat), invitedChatMids: mids }),
  'group create': Chat,
  'group members': Members,
  'group rename': only({ ...chatMid, chatName: Text }),
  'group picture': only({ ...chatMid, ...Picture }),
  'group invite': OnUsers,
  'group cancel': OnUsers,
  'group remove': OnUsers,
  'group accept': only(chatMid),
  'group reject': only(chatMid),
  'group leave': only(chatMid),
  contacts: list(Contact),
  contact: ShownContact,
  add: Contact,
  block: only(mid),
  unblock: only(mid),
  remove: only(mid),
  mute: Changed,
  unmute: Changed,
  favourite: Changed,
  unfavourite: Changed,
  rename: only({ ...mid, name: Text }),
  'recommendations list': list(Contact),
  'recommendations remove': only(mid),
  'buddies list': list(Contact),
  'buddies show': ShownBuddy,
  'buddies press': only({ messageId: Text, data: Text }),
  'verify-contact': ContactTrust,
  'keys status': KeyStatus,
  'keys backup': only({ version: Whole, keyIds: ids, addedKeyIds: ids, passphrase: optional(Text) }),
  'keys restore': only({ version: Whole, addedKeyIds: ids, missingKeyIds: ids }),
  'keys renew': only({ renewed: Flag, keyId: optional(Whole) }),
  'keys accept-log': only({ accepted: Flag }),
  'profile show': Profile,
  'profile set': Profile,
  'profile picture': only(Picture),
  'settings list': Settings,
  'settings get': Settings,
  'settings set': Settings,
  'timeline cover': Type.Intersect([Cover, Type.Object({ path: optional(Text) })]),
  'timeline set-cover': Cover,
  'stickers mine': list(only({ sticker: Text, text: Text, pack: Text })),
  'stickers emoji': list(only({ emoji: Text, text: Text, pack: Text, moving: Flag })),
  'stickers text': NameTextProperty,
  'stickers import': Product,
  'stickers list': list(Product),
  'stickers show': Product,
  'stickers grant': Product,
  'stickers revoke': Product,
  'media expired': only({ objects: Whole, bytes: Whole, days: Whole }),
  notices: only({ notices: list(NoticeDocument), nextSeq: Text }),
  'notice publish': Notice,
  'notice list': list(Notice),
  'notice withdraw': only({ id: Text, withdrawn: Flag }),
  'report send': only({ userMid: Text }),
  'report list': list(Report),
  'report show': Report,
  'report resolve': Report,
  sign: only({ signature: Text, headers: Type.Record(Text, Text) }),
  'audit keys': AuditedLog,
  conformance: ConformanceReport,
  doctor: list(only({ name: Text, ok: Flag, detail: Text, fix: optional(Text) })),
  'doctor message': Type.Object({
    id: Text,
    from: Text,
    to: Text,
    contentType: Whole,
    steps: list(only({ step: Text, found: Text })),
    sealing: Sealing,
  }),
};
