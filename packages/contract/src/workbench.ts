// The workbench API, for tests of clients in any language. Only the servers of `sealpost dev` and of the testing
// package have it.
import Type, { type Static, type TProperties } from 'typebox';
import { type AdminArgsOf, type AdminEndpoint, type AdminResultOf, adminEndpoint } from './admin-endpoint.ts';
import { TokenV3IssueResult } from './login.ts';
import { optional } from './schema.ts';
import { triggerEvents } from './workbench-names.ts';

export { workbenchRoot } from './workbench-names.ts';

const Num = Type.Integer({ minimum: 0 });
const Name = Type.String({ minLength: 1, maxLength: 200 });
const Time = Type.String({ description: 'time as in 2026-01-31T12:00:00.000Z' });
/** The name of a universe is the name of a folder. */
const UniverseName = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$' });
const Span = Type.Union([Num, Type.String({ pattern: '^\\d{1,9}(ms|s|m|h|d)$' })], {
  description: 'milliseconds, or a number with ms, s, m, h or d, as in 25h',
});
/** Returns the schema of a body with these fields. Other fields are refused. */
const closed = <const P extends TProperties>(title: string, properties: P) =>
  Type.Object(properties, { additionalProperties: false, title });

/** A time span: milliseconds, or a text such as `250ms`, `90s`, `15m`, `25h` or `7d`. */
export type Span = Static<typeof Span>;

export const DevClock = Type.Object(
  { now: Time, mode: Type.Enum(['real', 'virtual']), epochMs: Num },
  { title: 'DevClock' },
);
export type DevClock = Static<typeof DevClock>;

/** The calls that a fault or a list applies to. A call must match every given field. */
export const CallMatch = closed('CallMatch', {
  method: optional(
    Type.String({
      maxLength: 200,
      description:
        'the endpoint: Service.method, the method alone, or a name of the HTTP reference; * stands for any characters',
    }),
  ),
  account: optional(Type.String({ maxLength: 200, description: 'the user id or mid of the caller' })),
  path: optional(Type.String({ maxLength: 2000, description: 'how the path begins' })),
});
export type CallMatch = Static<typeof CallMatch>;

const FaultAnswer = closed('FaultAnswer', {
  error: optional(Type.String({ description: 'a name of the error table; its status and code are sent' })),
  reason: optional(Type.String({ maxLength: 2000, description: 'the reason that goes with `error`' })),
  status: optional(Type.Integer({ minimum: 100, maximum: 599 })),
  headers: optional(Type.Record(Type.String(), Type.String())),
  body: optional(Type.String({ maxLength: 1_000_000 })),
});

/**
 * A fault: what shall go wrong with calls. A rule may have one of `answer`, `cut`, `drop` and `duplicate`, and also
 * `delay`. For each call, the first rule that matches is used.
 */
export const FaultRule = closed('FaultRule', {
  match: optional(CallMatch),
  delay: optional(Span),
  answer: optional(FaultAnswer),
  cut: optional(
    Type.Union([Type.Enum(['request', 'answer']), Num], {
      description:
        'closes the connection: before the call is handled, instead of its answer, or after so many bytes of the answer',
    }),
  ),
  drop: optional(
    Type.Enum(['request', 'answer'], {
      description: 'never answers: without the call being handled, or although it was handled',
    }),
  ),
  duplicate: optional(Type.Literal(true, { description: 'handles the call twice and sends the second answer' })),
  rate: optional(Type.Number({ minimum: 0, maximum: 1, description: 'the share of fitting calls; 1 if absent' })),
  times: optional(Type.Integer({ minimum: 1, description: 'ends the fault after so many calls' })),
});
export type FaultRule = Static<typeof FaultRule>;

export const Fault = Type.Object(
  { id: Type.String(), rule: FaultRule, fired: Type.Integer({ description: 'the calls that it changed' }) },
  { title: 'Fault' },
);
export type Fault = Static<typeof Fault>;

const Pair = Type.Array(Type.String(), { minItems: 2, maxItems: 2 });

/** An operation that a call appended. */
export const AppendedOperation = Type.Object(
  {
    mid: Type.String({ description: 'the account whose log has it' }),
    userid: Type.Union([Type.String(), Type.Null()]),
    revision: Num,
    type: Type.String(),
    to: Type.String({ description: 'the account in terms of the call: self, peer and so on' }),
  },
  { title: 'AppendedOperation' },
);
export type AppendedOperation = Static<typeof AppendedOperation>;

/** The reasons why a signature is wrong. */
export const SignatureFinding = Type.Object(
  {
    state: Type.Enum(['right', 'wrong', 'absent']),
    /** The parts from which the server computed the signature. Only the first characters of secrets are shown. */
    ingredients: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
    expected: optional(Type.String()),
    given: optional(Type.String()),
    cause: optional(Type.String({ description: 'the likely cause, if changing one ingredient makes it right' })),
    difference: optional(Type.String({ description: 'the first byte in which that ingredient differs' })),
  },
  { title: 'SignatureFinding' },
);
export type SignatureFinding = Static<typeof SignatureFinding>;

const seen = {
  id: Num,
  time: Time,
  durationMs: optional(Type.Number({ description: 'real milliseconds until the answer ended; absent while it runs' })),
  state: Type.Enum(['running', 'answered', 'cut', 'dropped', 'left'], {
    description: '`cut` and `dropped` are faults, `left`: the client closed the connection',
  }),
  endpoint: optional(Type.String({ description: 'its name in the reference; absent if nothing serves the path' })),
  mid: optional(Type.String()),
  userid: optional(Type.String()),
  verb: Type.String(),
  path: Type.String({ description: 'with the query, as sent' }),
  status: optional(Type.Integer()),
  error: optional(
    Type.Object({
      code: Type.Integer(),
      name: Type.String({ description: 'the name in the error table; empty if the table has no such error' }),
      message: Type.String(),
      meaning: Type.String(),
    }),
  ),
  bodyBytes: Num,
  answerBytes: Num,
  appended: Type.Array(AppendedOperation),
  fault: optional(Type.String({ description: 'the id of the fault that changed it' })),
  tag: optional(Type.String({ description: 'the value of the header X-Dev-Tag' })),
};

/** A call in the form of a list entry. */
export const SeenCall = Type.Object(seen, { title: 'SeenCall' });
export type SeenCall = Static<typeof SeenCall>;

/** A call with everything that was sent over the network. */
export const CallRecord = Type.Object(
  {
    ...seen,
    remoteAddress: Type.String(),
    headers: Type.Array(Pair),
    body: Type.String({ description: 'as text, at most 256 KiB; bytes that are not text come as base64' }),
    bodyForm: Type.Enum(['text', 'base64']),
    args: optional(Type.Record(Type.String(), Type.Unknown(), { description: 'the arguments by name' })),
    answerHeaders: Type.Array(Pair),
    answer: Type.String(),
    answerForm: Type.Enum(['text', 'base64']),
    signature: optional(SignatureFinding),
  },
  { title: 'CallRecord' },
);
export type CallRecord = Static<typeof CallRecord>;

/** An operation of an account's log, as its stream delivers it. */
export const SeenOperation = Type.Object(
  {
    mid: Type.String(),
    userid: Type.Union([Type.String(), Type.Null()]),
    revision: Num,
    type: Type.String(),
    time: Time,
    operation: Type.Unknown({ description: 'the operation as the stream delivers it' }),
  },
  { title: 'SeenOperation' },
);
export type SeenOperation = Static<typeof SeenOperation>;

export const DevAccount = Type.Object(
  {
    mid: Type.String(),
    userid: Type.Union([Type.String(), Type.Null()]),
    displayName: Type.String(),
    password: optional(Type.String({ description: 'of accounts that the workbench made' })),
  },
  { title: 'DevAccount' },
);
export type DevAccount = Static<typeof DevAccount>;

export const DevLogin = Type.Object(
  { mid: Type.String(), userid: Type.String(), ...TokenV3IssueResult.properties },
  { title: 'DevLogin' },
);
export type DevLogin = Static<typeof DevLogin>;

export const Universe = Type.Object(
  { name: Type.String(), savedTime: Time, clock: Time },
  { title: 'Universe', description: 'a saved state: database, objects, clock and random source' },
);
export type Universe = Static<typeof Universe>;

/** An action of the server on an account's streams or sessions, which a test requests. */
export const Trigger = closed('Trigger', {
  account: Name,
  event: Type.Enum([...triggerEvents], {
    description:
      '`reconnect`, `fullSync`, `talkException` and `ping` go to the open streams; `cut` closes them; `silence` keeps them open without pings and operations; `expireTokens` and `endSessions` end access tokens and sessions; `message` sends a text from `from`',
  }),
  code: optional(Type.Integer({ description: 'the code of a talkException' })),
  from: optional(Name),
  text: optional(Type.String({ maxLength: 10_000 })),
});
export type Trigger = Static<typeof Trigger>;

const noAccount = { 404: 'no such account' };
const noUniverse = { 404: 'no universe has this name' };

/**
 * Every endpoint of the workbench by name. No endpoint needs a token, because the server listens on this machine only.
 */
export const workbenchEndpoints = {
  showWorkbench: adminEndpoint({
    summary: 'Shows the seed, the clock and the accounts.',
    verb: 'GET',
    path: '/',
    scope: 'none',
    result: Type.Object({
      url: Type.String(),
      seed: optional(Type.String({ description: 'what all random bytes of the server follow from' })),
      clock: DevClock,
      buildToken: Type.String(),
      brand: Type.String(),
      accounts: Type.Array(DevAccount),
    }),
    problems: {},
  }),
  showClock: adminEndpoint({
    summary: "Shows the server's clock.",
    verb: 'GET',
    path: '/clock',
    scope: 'none',
    result: DevClock,
    problems: {},
  }),
  advanceClock: adminEndpoint({
    summary: 'Moves the clock forward. Every timer on the way fires at its time.',
    verb: 'POST',
    path: '/clock/advance',
    scope: 'none',
    body: { schema: closed('AdvanceClock', { by: Span }) },
    result: DevClock,
    problems: { 409: 'the clock is real: start the server with --clock virtual' },
  }),
  listFaults: adminEndpoint({
    summary: 'Lists the faults.',
    verb: 'GET',
    path: '/faults',
    scope: 'none',
    result: Type.Object({ faults: Type.Array(Fault) }),
    problems: {},
  }),
  addFault: adminEndpoint({
    summary: 'Makes something go wrong with fitting calls, from now on.',
    verb: 'POST',
    path: '/faults',
    scope: 'none',
    body: { schema: FaultRule },
    result: Fault,
    location: 'id',
    status: 201,
    problems: {},
  }),
  removeFault: adminEndpoint({
    summary: 'Ends a fault.',
    verb: 'DELETE',
    path: '/faults/{fault}',
    scope: 'none',
    problems: { 404: 'no such fault' },
  }),
  clearFaults: adminEndpoint({
    summary: 'Ends all faults.',
    verb: 'DELETE',
    path: '/faults',
    scope: 'none',
    problems: {},
  }),
  listRequests: adminEndpoint({
    summary: 'Lists the calls that came, the oldest first. The last 10,000 are kept.',
    verb: 'GET',
    path: '/requests',
    scope: 'none',
    query: Type.Object({
      method: optional(Type.String()),
      account: optional(Type.String()),
      path: optional(Type.String()),
      tag: optional(Type.String()),
      after: optional(Type.String({ pattern: '^\\d{1,15}$', description: 'calls with a greater id' })),
      limit: optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    }),
    result: Type.Object({ requests: Type.Array(SeenCall) }),
    problems: {},
  }),
  showRequest: adminEndpoint({
    summary: 'Shows a call with everything that went over the wire.',
    verb: 'GET',
    path: '/requests/{id}',
    scope: 'none',
    result: CallRecord,
    problems: { 404: 'no such call, or it is no longer kept' },
  }),
  clearRequests: adminEndpoint({
    summary: 'Forgets the calls that came.',
    verb: 'DELETE',
    path: '/requests',
    scope: 'none',
    problems: {},
  }),
  listOperations: adminEndpoint({
    summary: "Lists an account's log after a revision. With `type` and `wait`, waits until there is such an operation.",
    verb: 'GET',
    path: '/accounts/{account}/operations',
    scope: 'none',
    query: Type.Object({
      after: optional(Type.String({ pattern: '^\\d{1,15}$', description: 'operations with a greater revision' })),
      type: optional(Type.String({ description: 'the name of an operation type' })),
      wait: optional(
        Type.Integer({ minimum: 0, maximum: 60_000, description: 'milliseconds to wait for a first operation' }),
      ),
      limit: optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    }),
    result: Type.Object({ operations: Type.Array(SeenOperation) }),
    problems: { ...noAccount, 408: 'no such operation came in the time' },
  }),
  createDevAccount: adminEndpoint({
    summary: 'Makes an account, a contact of all others that the workbench made.',
    verb: 'POST',
    path: '/accounts',
    scope: 'none',
    body: {
      schema: closed('CreateDevAccount', {
        userid: Name,
        password: optional(Name),
        displayName: optional(Name),
      }),
    },
    result: DevAccount,
    location: 'mid',
    status: 201,
    problems: { 400: 'a field has the wrong form', 409: 'the user id is taken' },
  }),
  openSession: adminEndpoint({
    summary: 'Opens a session of an account, as a login does, without a password.',
    verb: 'POST',
    path: '/accounts/{account}/login',
    scope: 'none',
    result: DevLogin,
    problems: noAccount,
  }),
  trigger: adminEndpoint({
    summary: 'Makes something happen to an account: an event on its streams, or the end of its tokens or sessions.',
    verb: 'POST',
    path: '/trigger',
    scope: 'none',
    body: { schema: Trigger },
    result: Type.Object({ streams: Type.Integer({ description: 'the open streams of the account' }) }),
    problems: noAccount,
  }),
  listUniverses: adminEndpoint({
    summary: 'Lists the saved states. `start` is the state after the start.',
    verb: 'GET',
    path: '/universes',
    scope: 'none',
    result: Type.Object({ universes: Type.Array(Universe) }),
    problems: {},
  }),
  saveUniverse: adminEndpoint({
    summary: 'Saves the state of the server under a name.',
    verb: 'POST',
    path: '/universes',
    scope: 'none',
    body: { schema: closed('SaveUniverse', { name: UniverseName }) },
    result: Universe,
    status: 201,
    problems: { 409: 'the server does not use the embedded database' },
  }),
  resetUniverse: adminEndpoint({
    summary: 'Goes back to a saved state, at the same address. Connections are closed; faults and calls are forgotten.',
    verb: 'POST',
    path: '/universes/{universe}/reset',
    scope: 'none',
    result: Universe,
    problems: noUniverse,
  }),
  forkUniverse: adminEndpoint({
    summary: 'Starts a second server with a saved state, at an address of its own.',
    verb: 'POST',
    path: '/universes/{universe}/fork',
    scope: 'none',
    result: Type.Object({ url: Type.String() }),
    status: 201,
    problems: noUniverse,
  }),
} as const satisfies Record<string, AdminEndpoint>;

/** The path, below `workbenchRoot`, of the events: calls, operations and faults as they happen (server-sent events). */
export const workbenchEventsPath = '/events';

/** An event of the workbench, as JSON in the data of a server-sent event with the same name. */
export type WorkbenchEvent =
  | { readonly kind: 'call'; readonly call: SeenCall }
  | { readonly kind: 'operation'; readonly operation: SeenOperation }
  | { readonly kind: 'faults'; readonly faults: readonly Fault[] }
  | { readonly kind: 'clock'; readonly clock: DevClock }
  | { readonly kind: 'reset' };

type WorkbenchEndpoints = typeof workbenchEndpoints;
export type WorkbenchEndpointName = keyof WorkbenchEndpoints;
export type WorkbenchArgs<N extends WorkbenchEndpointName> = AdminArgsOf<WorkbenchEndpoints[N]>;
export type WorkbenchResult<N extends WorkbenchEndpointName> = AdminResultOf<WorkbenchEndpoints[N]>;
