// Profile, settings, configuration, reports (specification: Endpoints, Profile, settings, configuration).
import Type, { type Static } from 'typebox';
import { exampleMids, isStruct, present, type Struct } from './argument-forms.ts';
import { AvatarProfile } from './contacts.ts';
import { contentTypes, pictureSources, reportSources, spammerReasons } from './enums.ts';
import { syncReason } from './messaging.ts';
import { arg, optionalArg, rpc } from './method.ts';
import {
  Bool,
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
  StringMap,
  Text,
} from './schema.ts';
import { Settings, SettingsUpdate } from './settings.ts';
import { settingsAttributes } from './settings-attributes.ts';

export const Profile = Type.Object(
  {
    mid: Mid,
    userid: optional(Type.String()),
    phone: optional(Type.String()),
    email: optional(Type.String()),
    regionCode: optional(Type.String()),
    displayName: Type.String(),
    phoneticName: optional(Type.String()),
    pictureStatus: optional(Type.String()),
    thumbnailUrl: optional(Type.String()),
    statusMessage: optional(Type.String()),
    allowSearchByUserid: Bool,
    allowSearchByEmail: Bool,
    picturePath: optional(Type.String()),
    musicProfile: optional(Type.String()),
    videoProfile: optional(Type.String()),
    statusMessageContentMetadata: optional(StringMap),
    avatarProfile: optional(AvatarProfile),
    nftProfile: optional(Bool),
    pictureSource: optional(NumericEnum('PictureSource', pictureSources)),
    profileId: optional(Type.String()),
    profileType: optional(I32),
    createdTimeMillis: optional(I64Text),
  },
  { title: 'Profile' },
);
export type Profile = Static<typeof Profile>;

/**
 * The value of an attribute. For music and avatar profiles, the value is JSON text. The method checks the length of
 * names and status messages.
 */
export const ProfileAttributeValue = Type.Object(
  { value: Text(10_000), meta: optional(StringMap) },
  { title: 'ProfileAttributeValue' },
);

export const Configurations = Type.Object({ revision: I64Text, configMap: StringMap }, { title: 'Configurations' });
export type Configurations = Static<typeof Configurations>;

export const AbuseMessage = Type.Object(
  {
    messageId: optional(MessageId),
    message: optional(Text(10_000)),
    senderMid: optional(Mid),
    contentType: optional(NumericEnum('ContentType', contentTypes)),
    createdTime: optional(I64),
    metadata: optional(StringMap),
  },
  { title: 'AbuseMessage' },
);

export const AbuseMessageReport = Type.Object(
  {
    reportSource: NumericEnum('ReportSource', reportSources),
    applicationType: optional(I32),
    spammerReasons: list(NumericEnum('SpammerReason', spammerReasons), 16),
    abuseMessages: optional(list(AbuseMessage, 100)),
    metadata: optional(
      Type.Object({
        userMid: optional(Mid),
        displayName: optional(Text(1000)),
        statusMessage: optional(Text(1000)),
        picturePath: optional(Text(1000)),
      }),
    ),
  },
  { title: 'AbuseMessageReport' },
);
export type AbuseMessageReport = Static<typeof AbuseMessageReport>;

const attributeNumbers = list(I32, 128);
const region = Text(64);

const knownAttributes = new Set<number>(Object.values(settingsAttributes));
const isAttributeWord = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
/**
 * Returns the attributes that a number stands for. If an attribute has exactly this number, returns this attribute.
 * Otherwise returns all attributes whose bits are set in the number.
 */
function attributesOf(word: number): number[] {
  if (knownAttributes.has(word)) return [word];
  return [...knownAttributes].filter((number) => number < 53 && Math.floor(word / 2 ** number) % 2 === 1);
}

const knownReasons = new Set<unknown>(Object.values(spammerReasons));
/**
 * Converts the short form of a report, which names a user instead of messages, into the entry's form. The fields of the
 * short form are kept in addition to the converted ones.
 */
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

export const profile = {
  'TalkService.getProfile': rpc({
    summary: "Returns the caller's own profile.",
    auth: 'user',
    limit: 'read',
    args: [syncReason],
    result: Profile,
    errors: [],
    doubledPrefix: true,
  }),
  'TalkService.updateProfileAttributes': rpc({
    summary: 'Changes attributes of the profile; the keys of the map are attribute bits.',
    auth: 'user',
    limit: 'write',
    reqSeq: 'first',
    args: [
      arg('reqSeq', ReqSeq),
      arg('request', Type.Object({ profileAttributes: Type.Record(Type.String(), ProfileAttributeValue) })),
    ],
    result: Nothing,
    errors: ['INVALID_STATE', 'FEATURE_RESTRICTED'],
    emits: [
      { type: 'UPDATE_PROFILE', to: 'self' },
      { type: 'NOTIFIED_UPDATE_PROFILE', to: 'friends' },
    ],
    doubledPrefix: true,
  }),
  'TalkService.getSettings': rpc({
    summary: "Returns all of the caller's settings.",
    auth: 'user',
    limit: 'read',
    args: [syncReason],
    result: Settings,
    errors: [],
    doubledPrefix: true,
  }),
  'TalkService.updateSettingsAttributes2': rpc({
    summary: 'Changes the settings that the attribute numbers select.',
    auth: 'user',
    limit: 'write',
    reqSeq: 'first',
    args: [arg('reqSeq', ReqSeq), arg('attributesToUpdate', attributeNumbers), arg('settings', SettingsUpdate)],
    alsoTakes: [
      {
        description: 'one number instead of the list: an attribute, or a set of bits',
        example: [1, 33, { e2eeEnable: true }],
        matches: ([, word]) => isAttributeWord(word),
        canonical: ([reqSeq, word, ...settings]) => [reqSeq, attributesOf(word as number), ...settings],
      },
    ],
    result: Nothing,
    errors: ['FEATURE_RESTRICTED'],
    emits: [{ type: 'UPDATE_SETTINGS', to: 'self', when: 'one for each' }],
    doubledPrefix: true,
  }),
  'TalkService.getSettingsAttributes2': rpc({
    summary: 'Returns the settings that the attribute numbers select.',
    auth: 'user',
    limit: 'read',
    args: [arg('attributesToGet', attributeNumbers)],
    alsoTakes: [
      {
        description: 'one number instead of the list: an attribute, or a set of bits',
        example: [33],
        matches: ([word]) => isAttributeWord(word),
        canonical: ([word]) => [attributesOf(word as number)],
      },
    ],
    result: Settings,
    errors: [],
    doubledPrefix: true,
  }),
  'TalkService.getConfigurations': rpc({
    summary: 'Returns the limits and switches that clients follow.',
    auth: 'user',
    limit: 'read',
    args: [
      optionalArg('revision', Type.Union([Text(20), Type.Integer()])),
      optionalArg('regionOfUsim', region),
      optionalArg('regionOfTelephone', region),
      optionalArg('regionOfLocale', region),
      optionalArg('carrier', region),
      syncReason,
    ],
    result: Configurations,
    errors: [],
    doubledPrefix: true,
  }),
  'TalkService.getServerTime': rpc({
    summary: 'Returns the time of the server in epoch milliseconds.',
    auth: 'user',
    limit: 'read',
    args: [],
    result: I64Text,
    errors: [],
    doubledPrefix: true,
  }),
  'TalkService.reportAbuseEx': rpc({
    summary: 'Reports messages of a user to the operator.',
    auth: 'user',
    limit: 'write',
    args: [arg('request', Type.Object({ abuseReportEntry: Type.Object({ message: AbuseMessageReport }) }))],
    alsoTakes: [
      {
        description: 'reqSeq and a struct of reportee, category and reason',
        example: [1, { reportee: exampleMids.user, category: 1, reason: 'spam' }],
        matches: (args) => args.length > 1 && typeof args[0] === 'number',
        canonical: ([, report]) => [isStruct(report) ? abuseReport(report) : report],
      },
    ],
    result: Nothing,
    errors: ['NOT_FOUND', 'INVALID_MID'],
    doubledPrefix: true,
  }),
} as const;
