// The file of a recorded session: every exchange between a client and a gateway, without secrets (docs/recording.md).
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { fieldOf, parsedJson } from '../wire/loose-json.ts';

const FORMAT = 'sealpost-session';
const VERSION = 1;

const Whole = Type.Integer({ minimum: 0 });
const Millis = Type.Number({ minimum: 0, description: 'milliseconds' });
const only = { additionalProperties: false };
const Header = Type.Array(Type.String(), { minItems: 2, maxItems: 2, description: 'name and value' });

const RecordedBody = Type.Object(
  {
    form: Type.Enum(['text', 'base64', 'omitted'], { description: '`omitted`: the body was larger than the limit' }),
    content: Type.String({ description: 'decompressed, with placeholders in place of secrets; empty if omitted' }),
    bytes: Type.Integer({ minimum: 0, description: 'the size of the decompressed body before secrets were replaced' }),
  },
  { ...only, title: 'RecordedBody' },
);
export type RecordedBody = Static<typeof RecordedBody>;

const RecordedEvent = Type.Object(
  {
    ms: Type.Number({ minimum: 0, description: 'milliseconds since the request' }),
    text: Type.String({ description: 'a whole event of a server-sent event stream, with its empty line' }),
  },
  { ...only, title: 'RecordedEvent' },
);
export type RecordedEvent = Static<typeof RecordedEvent>;

const RecordedAnswer = Type.Object(
  {
    status: Type.Integer({ minimum: 100, maximum: 999 }),
    headers: Type.Array(Header),
    end: Type.Enum(['complete', 'cut', 'left', 'open'], {
      description: '`cut`: the gateway closed early; `left`: the client did; `open`: the recording ended first',
    }),
    body: Type.Optional(RecordedBody),
    events: Type.Optional(Type.Array(RecordedEvent, { description: 'of a stream, in place of `body`' })),
  },
  { ...only, title: 'RecordedAnswer' },
);
export type RecordedAnswer = Static<typeof RecordedAnswer>;

const RecordedExchange = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: 'the place in the order in which requests began' }),
    startMs: Type.Number({ minimum: 0, description: 'milliseconds since the recording began' }),
    durationMs: Millis,
    endpoint: Type.Optional(Type.String({ description: 'its name in the reference; absent if the contract has none' })),
    verb: Type.String(),
    path: Type.String({ description: 'with query' }),
    headers: Type.Array(Header),
    body: RecordedBody,
    answer: Type.Optional(RecordedAnswer),
    failure: Type.Optional(Type.String({ description: 'why there is no answer' })),
  },
  { ...only, title: 'RecordedExchange' },
);
export type RecordedExchange = Static<typeof RecordedExchange>;

/** The schema of the file. */
export const SessionFile = Type.Object(
  {
    format: Type.Literal(FORMAT),
    version: Type.Literal(VERSION, { description: 'changes when older readers could not read the file' }),
    recordedTime: Type.String({ description: 'when the recording began, as in 2026-01-31T12:00:00.000Z' }),
    target: Type.String({ description: 'the address of the gateway' }),
    brand: Type.String({ description: 'the brand in header names' }),
    secrets: Type.Record(Type.String(), Whole, { description: 'how many secrets of each role were replaced' }),
    exchanges: Type.Array(RecordedExchange),
  },
  { ...only, title: 'SessionFile', description: 'A recorded session of sealpost record.' },
);
export type SessionFile = Static<typeof SessionFile>;

/** Returns the fields that every file begins with. */
export const sessionHead = { format: FORMAT, version: VERSION } as const;

/** The error for a file that is not a session that this version can read. */
export class UnreadableSession extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableSession';
  }
}

const check = Compile(SessionFile);

/**
 * Returns the session in a file's text.
 * @throws UnreadableSession if the text is something else
 */
export function readSession(text: string): SessionFile {
  const value = parsedJson(text);
  if (fieldOf(value, 'format') !== FORMAT) {
    throw new UnreadableSession('this is not a recorded session: its field "format" is not "sealpost-session"');
  }
  const version = fieldOf(value, 'version');
  if (version !== VERSION) {
    throw new UnreadableSession(
      `the session has version ${JSON.stringify(version)}, and this command reads version ${VERSION}: record it again, or use the command that recorded it`,
    );
  }
  if (check.Check(value)) return value;
  const [fault] = check.Errors(value);
  throw new UnreadableSession(`the session is damaged: ${fault?.instancePath ?? ''} ${fault?.message ?? ''}`);
}

export const writeSession = (session: SessionFile): string => `${JSON.stringify(session, null, 1)}\n`;
