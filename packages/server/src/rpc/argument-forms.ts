// Other forms of arguments that existing clients send, turned into the contract's form before anything is validated.
import {
  isMid,
  type MethodName,
  reportSources,
  settingsAttributes,
  spammerReasons,
  updateChatAttributes,
} from '@sealpost/contract';

type Arguments = readonly unknown[];

/** One form besides the contract's own. */
export interface ArgumentForm {
  readonly method: MethodName;
  /** What the client sends, for readers. */
  readonly description: string;
  /** Arguments of this form. */
  readonly example: Arguments;
  /**
   * Tells the form from the contract's, by the number of arguments and the JSON type of the one that decides. The others
   * are the schema's matter, which then says which of them is wrong.
   */
  readonly matches: (args: Arguments) => boolean;
  readonly canonical: (args: Arguments) => Arguments;
}

type Struct = Readonly<Record<string, unknown>>;

const isStruct = (value: unknown): value is Struct =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** A field of something that may be no struct. */
const field = (value: unknown, name: string): unknown =>
  isStruct(value) && Object.hasOwn(value, name) ? value[name] : undefined;
/** Leaves out what the client did not send, so that it counts as not set. */
const present = (fields: Struct): Struct =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
const chat = 'c00000000000000000000000000000001';
const user = 'u00000000000000000000000000000001';

/** Arguments in place of one struct, or in front of one. */
const beginsFlat = (args: Arguments): boolean => args.length > 1 && !isStruct(args[0]);

/** `[reqSeq, chatMid, …]` in place of one struct. */
const flatChat = (
  method: MethodName,
  description: string,
  rest: Arguments,
  fieldsOf: (args: Arguments) => Struct = () => ({}),
): ArgumentForm => ({
  method,
  description,
  example: [1, chat, ...rest],
  matches: (args) => beginsFlat(args) && args.length === 2 + rest.length,
  canonical: (args) => [present({ reqSeq: args[0], chatMid: args[1], ...fieldsOf(args) })],
});

/** `[reqSeq, struct]` in place of one struct that holds reqSeq. */
const reqSeqBeside = (
  method: MethodName,
  description: string,
  struct: Struct,
  fieldsOf: (struct: Struct) => Struct = (same) => same,
): ArgumentForm => ({
  method,
  description,
  example: [1, struct],
  matches: beginsFlat,
  canonical: ([reqSeq, beside]) => [isStruct(beside) ? present({ ...fieldsOf(beside), reqSeq }) : beside],
});

const targets = (args: Arguments): Struct => ({
  targetUserMids: isStruct(args[2]) ? field(args[2], 'targetUserMids') : args[2],
});
const targetMethods = [
  'TalkService.inviteIntoChat',
  'TalkService.cancelChatInvitation',
  'TalkService.deleteOtherFromChat',
] as const;
const membershipMethods = [
  'TalkService.acceptChatInvitation',
  'TalkService.rejectChatInvitation',
  'TalkService.deleteSelfFromChat',
] as const;

/** The type of a chat never changes, so a chat that carries it does not ask for that. */
function changedAttributes(chatFields: Struct): number {
  const extra = field(field(chatFields, 'extra'), 'groupExtra');
  const bits: readonly [unknown, number][] = [
    [chatFields.chatName, updateChatAttributes.NAME],
    [chatFields.picturePath, updateChatAttributes.PICTURE_STATUS],
    [field(extra, 'preventedJoinByTicket'), updateChatAttributes.PREVENTED_JOIN_BY_TICKET],
    [chatFields.notificationDisabled, updateChatAttributes.NOTIFICATION_SETTING],
    [field(extra, 'invitationTicket'), updateChatAttributes.INVITATION_TICKET],
    [chatFields.favoriteTimestamp, updateChatAttributes.FAVORITE_TIMESTAMP],
  ];
  return bits.reduce((sum, [value, bit]) => (value === undefined ? sum : sum + bit), 0);
}

const attributeNumbers = new Set<number>(Object.values(settingsAttributes));
const isAttributeWord = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
/** A number that names an attribute is that attribute; a larger one is a set of bits, one for each attribute. */
function attributesOf(word: number): number[] {
  if (attributeNumbers.has(word)) return [word];
  return [...attributeNumbers].filter((number) => number < 53 && Math.floor(word / 2 ** number) % 2 === 1);
}

const knownReasons = new Set<unknown>(Object.values(spammerReasons));
/** The short form names a user instead of messages; its own words are kept beside the report. */
const abuseReport = (report: Struct): Struct => ({
  abuseReportEntry: {
    message: {
      reportSource: reportSources.UNKNOWN,
      spammerReasons: [knownReasons.has(report.category) ? report.category : spammerReasons.OTHER],
      abuseMessages: [
        present({
          senderMid: report.reportee,
          metadata: typeof report.reason === 'string' ? { reason: report.reason } : undefined,
        }),
      ],
      metadata: present({ userMid: report.reportee }),
    },
  },
});

/** Every form besides the contract's own, in the order in which they are tried. */
export const argumentForms: readonly ArgumentForm[] = [
  reqSeqBeside('TalkService.createChat', 'reqSeq in front of the struct', {
    type: 0,
    name: 'Tea',
    targetUserMids: [user],
  }),
  ...targetMethods.flatMap((method) => [
    flatChat(method, 'three values: reqSeq, chat, list of users', [[user]], targets),
    flatChat(method, 'three values: reqSeq, chat, struct of users', [{ targetUserMids: [user] }], targets),
  ]),
  ...membershipMethods.map((method) => flatChat(method, 'two values: reqSeq, chat', [])),
  {
    method: 'TalkService.updateChat',
    description: 'reqSeq, the changed fields of the chat, and 0 for the bits of those fields',
    example: [1, { chatMid: chat, chatName: 'Tea' }, 0],
    matches: beginsFlat,
    canonical: ([reqSeq, fields, bits]) => [
      { reqSeq, chat: fields, updatedAttribute: bits || (isStruct(fields) ? changedAttributes(fields) : 0) },
    ],
  },
  flatChat('TalkService.setChatHiddenStatus', 'three values: reqSeq, chat, hidden', [true], ([, , hidden]) => ({
    hidden,
  })),
  reqSeqBeside(
    'TalkService.react',
    'reqSeq in front of the struct, the reaction as its number',
    { messageId: 1, reactionType: { type: 2 } },
    ({ messageId, reactionType }) => {
      const type = field(reactionType, 'type');
      return { messageId, reactionType: type === undefined ? reactionType : { predefinedReactionType: type } };
    },
  ),
  reqSeqBeside(
    'TalkService.cancelReaction',
    'reqSeq in front of the struct, which may name a reaction',
    { messageId: 1, reactionType: { type: 0 } },
    ({ messageId }) => ({ messageId }),
  ),
  {
    method: 'TalkService.sendPostback',
    description: 'three values: reqSeq, official account, data; no source message',
    example: [1, user, 'data'],
    matches: (args) => args.length === 3 && typeof args[0] === 'number',
    canonical: ([, to, data]) => [{ messageId: '0', url: data, chatMID: to, originMID: to }],
  },
  {
    method: 'TalkService.findAndAddContactsByMid',
    description: 'one user in place of type and list: reqSeq, user, type, reference',
    example: [1, user, 0, ''],
    matches: (args) => typeof args[1] === 'string',
    canonical: ([reqSeq, mid, type = 0, reference = '']) => [reqSeq, type, [mid], reference],
  },
  {
    method: 'RelationService.addFriendByMid',
    description: 'two values: reqSeq, user',
    example: [1, user],
    matches: (args) => args.length === 2 && beginsFlat(args),
    canonical: ([reqSeq, userMid]) => [{ reqSeq, userMid }],
  },
  {
    method: 'TalkService.getMessageBoxes',
    description: 'three values: first chat id, how many, syncReason',
    example: ['', 20, 0],
    matches: (args) => typeof args[0] === 'string' || (args.length === 3 && beginsFlat(args)),
    // The values have no place to ask for more, and a list of chats without its last messages shows nothing.
    canonical: ([minChatId, messageBoxCountLimit, ...syncReason]) => [
      present({ minChatId, messageBoxCountLimit, withUnreadCount: true, lastMessagesPerMessageBoxCount: 1 }),
      ...syncReason,
    ],
  },
  {
    method: 'TalkService.getMessageBoxesByIds',
    description: 'the list of chats in place of the struct',
    example: [[chat]],
    matches: ([ids]) => Array.isArray(ids),
    canonical: ([messageBoxIds, ...syncReason]) => [
      { messageBoxIds, withUnreadCount: true, lastMessagesCount: 1 },
      ...syncReason,
    ],
  },
  {
    method: 'TalkService.getPreviousMessagesV2WithRequest',
    description: 'chatId, endSeq and limit as names of messageBoxId, the boundary and messagesCount',
    example: [{ chatId: chat, endSeq: '100', limit: 20, withReadCount: true }],
    matches: ([request]) => field(request, 'chatId') !== undefined && field(request, 'messageBoxId') === undefined,
    canonical: ([request, ...syncReason]) => {
      const { chatId, endSeq, limit, withReadCount } = request as Struct;
      const endMessageId = endSeq === undefined ? undefined : { messageId: endSeq };
      return [present({ messageBoxId: chatId, endMessageId, messagesCount: limit, withReadCount }), ...syncReason];
    },
  },
  {
    method: 'TalkService.getSettingsAttributes2',
    description: 'one number in place of the list: an attribute, or a set of bits',
    example: [33],
    matches: ([word]) => isAttributeWord(word),
    canonical: ([word]) => [attributesOf(word as number)],
  },
  {
    method: 'TalkService.updateSettingsAttributes2',
    description: 'one number in place of the list: an attribute, or a set of bits',
    example: [1, 33, { e2eeEnable: true }],
    matches: ([, word]) => isAttributeWord(word),
    canonical: ([reqSeq, word, ...settings]) => [reqSeq, attributesOf(word as number), ...settings],
  },
  {
    method: 'TalkService.reportAbuseEx',
    description: 'reqSeq and a struct of reportee, category and reason',
    example: [1, { reportee: user, category: 1, reason: 'spam' }],
    matches: (args) => args.length > 1 && typeof args[0] === 'number',
    canonical: ([, report]) => [isStruct(report) ? abuseReport(report) : report],
  },
  {
    method: 'TalkService.getLastE2EEPublicKeys',
    description: 'a struct of chat and members in place of the chat',
    example: [{ chatMid: chat, members: [user] }],
    matches: ([request]) => isStruct(request),
    canonical: ([request]) => [field(request, 'chatMid')],
  },
  {
    method: 'ShopService.getOwnedProductSummaries',
    description: 'the own mid in place of the four values: all emoji packages',
    example: [user],
    matches: (args) => args.length === 1 && typeof args[0] === 'string' && isMid(args[0]),
    canonical: () => ['sticonshop'],
  },
  {
    method: 'TalkService.getSticonOwnershipByMid',
    description: 'two values: 1, mid',
    example: [1, user],
    matches: (args) => args.length === 2 && typeof args[0] === 'number',
    canonical: ([, mid]) => [mid],
  },
];

const formsOf = Map.groupBy(argumentForms, (form) => form.method);

/** The arguments in the contract's form. What no form matches comes back as it is, for validation to judge. */
export function canonicalArgs(method: MethodName, args: Arguments): Arguments {
  const form = formsOf.get(method)?.find((candidate) => candidate.matches(args));
  return form ? form.canonical(args) : args;
}
