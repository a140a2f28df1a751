// Schemas of what each command prints with --json. Only the documents and the tests load this module, because commands
// load no schemas.
import {
  Account,
  Administrator,
  AdminSession,
  AdminToken,
  CreatedInvite,
  Invite,
  InviteWithAccounts,
  MadeToken,
  Notice,
  Product,
  Report,
  RetentionPreview,
  SetupLink,
} from '@sealpost/contract/admin';
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
  OwnIdentifiers,
  PendingLogin,
  Profile,
  ReactionType,
  Session,
  Settings,
} from '@sealpost/contract/schemas';
import { CallRecord, DevClock, Fault, SeenCall, SignatureFinding, Universe } from '@sealpost/contract/workbench';
import Type, { type TProperties, type TSchema } from 'typebox';

const Text = Type.String();
const Flag = Type.Boolean();
const Whole = Type.Integer();
const { Optional: optional, Array: list } = Type;
/** Returns the schema of a struct that has exactly these fields. */
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
/**
 * The report of `conformance`. With `--list`, no check runs, so the results and the facts about the server are absent.
 */
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
const ClientGrades = only({
  client: optional(Text),
  milliseconds: optional(Whole),
  passed: optional(Whole),
  failed: optional(Whole),
  notReached: optional(Whole),
  scenarios: list(
    only({
      id: Text,
      topic: Text,
      title: Text,
      basis: only({ heading: Text, fact: Text }),
      milliseconds: optional(Whole),
      grade: optional(Type.Enum(['pass', 'fail', 'not reached'])),
      consequence: optional(Text),
      expected: optional(Text),
      seen: optional(Text),
      reach: optional(Text),
      instead: optional(Text),
      again: optional(Text),
      output: optional(Text),
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

const ExplainedCall = only({
  verb: Text,
  path: Text,
  endpoint: optional(Text),
  summary: optional(Text),
  args: optional(Type.Record(Text, Type.Unknown())),
  status: optional(Whole),
  result: optional(Type.Unknown()),
  error: optional(only({ code: Whole, name: optional(Text), message: Text, meaning: Text, retry: Flag, advice: Text })),
  signature: SignatureFinding,
  nextStep: optional(Type.Enum(['go on', 'retry', 'renew', 'log in', 'stop', 'fix'])),
  hints: list(Text),
});
const RecordedLine = only({ id: Whole, name: Text, status: optional(Whole), durationMs: Type.Number() });
const Difference = only({ place: Text, recorded: optional(Type.Unknown()), now: optional(Type.Unknown()) });
const ServedLine = Type.Union([
  only({ id: Whole, name: Text, recorded: Type.Literal(true) }),
  only({ name: Text, recorded: Type.Literal(false), text: Text }),
]);
const ComparedSession = only({
  calls: list(only({ id: Whole, name: Text, differences: list(Difference), unknownIds: list(Text) })),
  skipped: list(only({ id: Whole, name: Text, reason: Text })),
});

const Counted = { count: Whole, bytes: Whole };
const DatabaseKind = Type.Enum(['sqlite', 'postgres']);
const MadeBackup = only({
  ...{ id: Text, place: Text, time: Whole, database: DatabaseKind, tables: Whole, rows: Whole, adminToken: Flag },
  objects: only({ ...Counted, copied: Whole }),
  missing: list(only({ key: Text, problem: Text })),
  removed: only({ backups: Whole, objects: Whole }),
});
const Restored = Type.Union([
  only({ id: Text, time: Whole, dataDir: Text, database: Text, rows: Whole, objects: only(Counted), missing: Whole }),
  list(
    only({ id: Text, time: Whole, version: Text, database: DatabaseKind, rows: Whole, objects: Whole, bytes: Whole }),
  ),
]);
const Verified = only({
  ...{ database: Text, objectsAt: Text, rules: Whole, objects: Whole, more: Whole },
  findings: list(only({ check: Text, where: Text, problem: Text, advice: Text })),
});
const Moved = Type.Union([
  only({
    ...{ from: Text, to: Text, moved: Flag, tables: Whole, rows: Whole },
    objects: optional(only({ ...Counted, place: Text })),
  }),
  only({ cancelled: Flag, place: optional(Text) }),
]);

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
  backup: MadeBackup,
  restore: Restored,
  resync: only({ database: Text, accounts: Whole }),
  verify: Verified,
  move: Moved,
  'account create': CreatedAccount,
  'account list': list(Account),
  'account show': Account,
  'account disable': Account,
  'account enable': Account,
  'account export': only({ path: Text, bytes: Whole }),
  'account reset-password': Type.Union([Account, NewPassword]),
  'account delete': only({ account: Text, deleted: Flag }),
  'account import': Type.Union([
    list(only({ userid: Text, outcome: Text, mid: optional(Text), invite: optional(Text) })),
    only({ people: Whole, new: Whole, withoutPassword: Whole }),
  ]),
  'admin create': SetupLink,
  'admin list': list(Administrator),
  'admin remove': only({ name: Text, removed: Flag }),
  'admin sessions list': list(AdminSession),
  'admin sessions end': only({ id: Text, ended: Flag }),
  'admin token create': MadeToken,
  'admin token list': list(AdminToken),
  'admin token revoke': only({ id: Text, revoked: Flag }),
  'invite create': CreatedInvite,
  'invite list': list(Invite),
  'invite show': InviteWithAccounts,
  'invite revoke': Invite,
  register: only({ ...mid, userid: Text, displayName: Text, login: Text, url: Text }),
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
  'profile userid': OwnIdentifiers,
  'profile email': OwnIdentifiers,
  'profile phone': OwnIdentifiers,
  password: only({ changed: Flag, endedOtherSessions: Flag }),
  export: only({
    ...{ path: Text, bytes: Whole, chats: Whole, messages: Whole, sealedMessages: Whole },
    ...{ media: Whole, mediaBytes: Whole, missingMedia: Whole },
  }),
  'delete-account': only({ deleted: Flag, ...mid }),
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
  retention: Type.Intersect([
    RetentionPreview,
    Type.Object({ order: optional(only({ what: Type.Enum(['messages', 'media']), before: Text })) }),
  ]),
  notices: only({ notices: list(NoticeDocument), nextSeq: Text }),
  'notice publish': Notice,
  'notice list': list(Notice),
  'notice withdraw': only({ id: Text, withdrawn: Flag }),
  'report send': only({ userMid: Text }),
  'report list': list(Report),
  'report show': Report,
  'report resolve': Report,
  explain: list(ExplainedCall),
  record: RecordedLine,
  replay: Type.Union([ServedLine, ComparedSession]),
  'clock show': DevClock,
  'clock advance': DevClock,
  'fault add': Fault,
  'fault list': list(Fault),
  'fault remove': only({ id: Text, removed: Flag }),
  'fault clear': only({ cleared: Flag }),
  requests: Type.Union([list(SeenCall), CallRecord, only({ cleared: Flag })]),
  trigger: only({ streams: Whole }),
  'universe save': Universe,
  'universe list': list(Universe),
  'universe reset': Universe,
  'universe fork': only({ url: Text }),
  sign: only({ signature: Text, headers: Type.Record(Text, Text) }),
  'audit keys': AuditedLog,
  conformance: Type.Union([ConformanceReport, ClientGrades]),
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
