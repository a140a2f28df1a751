// The Message struct, as sent and as delivered (specification: Message).
import Type, { type Static } from 'typebox';
import { contentTypes, messageRelationTypes, midTypes, predefinedReactionTypes, serviceCodes } from './enums.ts';
import { limits } from './limits.ts';
import { Base64, Bool, I32, I64, I64Text, list, Mid, NumericEnum, optional, StringMap, Text } from './schema.ts';

export const Location = Type.Object(
  {
    title: optional(Text(1000)),
    address: optional(Text(1000)),
    latitude: optional(Type.Number()),
    longitude: optional(Type.Number()),
    phone: optional(Text(100)),
    categoryId: optional(Text(100)),
    provider: optional(I32),
    accuracy: optional(Type.Record(Type.String(), Type.Number())),
    altitudeMeters: optional(Type.Number()),
  },
  { title: 'Location' },
);
export type Location = Static<typeof Location>;

export const PaidReactionType = Type.Object(
  { productId: Text(100), emojiId: Text(100), resourceType: I32, version: I32 },
  { title: 'PaidReactionType' },
);

/** A reaction of one of two kinds: exactly one field is set. */
export const ReactionType = Type.Object(
  {
    predefinedReactionType: optional(NumericEnum('PredefinedReactionType', predefinedReactionTypes)),
    paidReactionType: optional(PaidReactionType),
  },
  { title: 'ReactionType' },
);
export type ReactionType = Static<typeof ReactionType>;

export const Reaction = Type.Object(
  { fromUserMid: Mid, atMillis: I64Text, reactionType: ReactionType },
  { title: 'Reaction' },
);
export type Reaction = Static<typeof Reaction>;

const ContentType = NumericEnum('ContentType', contentTypes);
const MIDType = NumericEnum('MIDType', midTypes);
const MessageRelationType = NumericEnum('MessageRelationType', messageRelationTypes);
const ServiceCode = NumericEnum('ServiceCode', serviceCodes);
const chunks = Type.Array(Base64, { maxItems: 8 });

/** A message as a client sends it. The server sets id, from and the times itself. */
export const OutgoingMessage = Type.Object(
  {
    from: optional(Mid),
    to: Mid,
    toType: optional(MIDType),
    id: optional(Type.Union([Text(64), Type.Integer()])),
    createdTime: optional(I64),
    deliveredTime: optional(I64),
    text: optional(Text(limits.textLength.value)),
    contentType: optional(ContentType),
    contentPreview: optional(Base64),
    contentMetadata: optional(StringMap),
    hasContent: optional(Bool),
    relatedMessageId: optional(I64),
    messageRelationType: optional(MessageRelationType),
    relatedMessageServiceCode: optional(ServiceCode),
    location: optional(Location),
    chunks: optional(chunks),
    sessionId: optional(I32),
    appExtensionType: optional(I32),
  },
  { title: 'OutgoingMessage' },
);
export type OutgoingMessage = Static<typeof OutgoingMessage>;

/** A message as stored and delivered. */
export const Message = Type.Object(
  {
    from: Mid,
    to: Mid,
    toType: MIDType,
    id: I64Text,
    createdTime: I64Text,
    deliveredTime: I64Text,
    text: optional(Type.String()),
    location: optional(Location),
    hasContent: Bool,
    contentType: ContentType,
    contentPreview: optional(Base64),
    contentMetadata: StringMap,
    sessionId: I32,
    chunks: optional(chunks),
    relatedMessageId: optional(I64Text),
    messageRelationType: optional(MessageRelationType),
    relatedMessageServiceCode: optional(ServiceCode),
    readCount: optional(I32),
    appExtensionType: optional(I32),
    reactions: optional(list(Reaction)),
  },
  { title: 'Message' },
);
export type Message = Static<typeof Message>;
