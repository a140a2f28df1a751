// Endpoints of the admin API about retention. They count the messages and media that a retention time would remove, and
// order the removal.
import Type, { type Static } from 'typebox';
import { adminEndpoint } from './admin-endpoint.ts';
import { closed, Num, Time } from './admin-schemas.ts';
import { optional } from './schema.ts';

const MOST_DAYS = 36_500;
const size = {
  messages: Num,
  objects: Type.Integer({ minimum: 0, description: 'objects that no other message carries' }),
  bytes: Type.Integer({ minimum: 0, description: 'bytes of these objects' }),
};

/** The messages and media that would be removed if they were kept for the given number of days. */
export const RetentionPreview = Type.Object(
  {
    days: Num,
    before: optional(Type.String({ description: 'time before which messages would go; absent if days is 0' })),
    messageDays: Type.Integer({ minimum: 0, description: 'the setting message-days; 0 keeps messages for ever' }),
    mediaDays: Type.Integer({ minimum: 0, description: 'the setting media-days; 0 keeps media for ever' }),
    ordered: Type.Object(
      { messages: optional(Time), media: optional(Time) },
      { description: 'the times before which the operator ordered to remove them' },
    ),
    ...size,
    byAge: Type.Array(Type.Object({ fromDays: Num, ...size }, { title: 'RetentionAge' }), {
      description: 'the same by age; each entry begins at fromDays and ends where the next one begins',
    }),
    largestChats: Type.Array(
      Type.Object({ chatMids: Type.Array(Type.String()), ...size }, { title: 'RetentionChat' }),
      { description: 'the ten chats with most bytes; a chat of two people has the mids of both' },
    ),
    olderMedia: Type.Object(
      { objects: Num, bytes: Num },
      { description: 'what media-days with this number of days would remove, whether its message stays or not' },
    ),
  },
  { title: 'RetentionPreview' },
);
export type RetentionPreview = Static<typeof RetentionPreview>;

const RunRetention = closed('RunRetention', {
  days: Type.Integer({ minimum: 1, maximum: MOST_DAYS }),
  what: optional(
    Type.Enum(['messages', 'media'], {
      description: 'messages: messages with their media, which is the default; media: only media',
    }),
  ),
});

/** The endpoints of retention, by name. */
export const retentionEndpoints = {
  retentionPreview: adminEndpoint({
    summary: 'Counts what would be removed if messages were kept for a number of days. Removes nothing.',
    scope: 'read',
    verb: 'GET',
    path: '/retention',
    query: Type.Object({
      days: optional(
        Type.Integer({ minimum: 0, maximum: MOST_DAYS, description: 'the setting message-days if absent' }),
      ),
    }),
    result: RetentionPreview,
    problems: {},
  }),
  runRetention: adminEndpoint({
    summary:
      'Orders the removal of messages, or of media, that are older than a number of days. The servers remove them from now on, in small steps.',
    scope: 'server',
    verb: 'POST',
    path: '/retention',
    body: { schema: RunRetention },
    result: Type.Object({ what: Type.Enum(['messages', 'media']), before: Time }, { title: 'RetentionOrder' }),
    problems: {},
  }),
} as const;
