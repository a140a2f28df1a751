// Named events of the operation stream (specification: Events). Operations themselves come as unnamed events.
import Type, { type Static, type TSchema } from 'typebox';
import { syncTriggerReasons } from './enums.ts';
import { Empty, I32, I64Text, list, NumericEnum, StringMap } from './schema.ts';

export const FullSync = Type.Object(
  { reasons: list(NumericEnum('SyncTriggerReason', syncTriggerReasons)), nextRevision: I64Text },
  { title: 'FullSync' },
);
export type FullSync = Static<typeof FullSync>;

export const StreamTalkException = Type.Object(
  { code: I32, reason: Type.String(), parameterMap: Type.Union([StringMap, Type.Null()]) },
  { title: 'StreamTalkException' },
);
export type StreamTalkException = Static<typeof StreamTalkException>;

export interface StreamEvent<S extends TSchema = TSchema> {
  readonly summary: string;
  readonly data: S;
  /** True if the server closes the stream after the event. */
  readonly closes: boolean;
}

const event = <S extends TSchema>(summary: string, data: S, closes = false): StreamEvent<S> => ({
  summary,
  data,
  closes,
});

export const streamEvents = {
  ping: event('Keeps the connection alive: sent every 20 seconds, whatever else was sent.', Empty),
  connInfoRevision: event('Connection revision, once after the stream opens.', Type.Integer()),
  reconnect: event('Tells the client to open the stream again with its last revision.', Empty, true),
  talkException: event(
    'The session ended, and `code` is 8. A token that expires does not end an open stream.',
    StreamTalkException,
    true,
  ),
  fullSync: event('The cursor is outside of the log: read everything again and continue from nextRevision.', FullSync),
} as const satisfies Record<string, StreamEvent>;

export type StreamEventName = keyof typeof streamEvents;
export type StreamEventData<N extends StreamEventName> = Static<(typeof streamEvents)[N]['data']>;
