// Faults of a client, each noticed by the scenario that is about it.
import type { Mutant } from '../scripts/mutants/mutant.ts';

const tests = ['packages/testing/test/sdk-grades.test.ts'];
const errors = 'packages/sdk/src/gateway/errors.ts';
const session = 'packages/sdk/src/gateway/session.ts';
const transport = 'packages/sdk/src/gateway/transport.ts';
const stream = 'packages/sdk/src/operations.ts';
const sender = 'packages/sdk/src/outbox/sender.ts';
const sealedSend = 'packages/sdk/src/sealing/send.ts';
const storage = 'packages/sdk/src/media/object-storage.ts';
const login = 'packages/sdk/src/login/login.ts';

/** Returns the mutant that only this scenario must notice. */
const noticedBy = (scenario: string, name: string, file: string, find: string, replace: string): Mutant => ({
  ...{ name, file, find, replace, tests },
  pattern: `^${scenario}$`,
});

export default [
  noticedBy(
    'login/type-0-after-97',
    'a login without a device that hands over keys is given up',
    login,
    "  'E2EE_PRIMARY_NOT_SUPPORT',\n",
    '',
  ),
  noticedBy(
    'login/type-0-after-89',
    'the key of a login is used for the next one',
    login,
    "  const key = await gateway.anonymous('TalkService.getRSAKeyInfo', 1);\n",
    "  const known = globalThis as { rsaKey?: ReturnType<typeof gateway.anonymous<'TalkService.getRSAKeyInfo'>> };\n" +
      "  const key = await (known.rsaKey ??= gateway.anonymous('TalkService.getRSAKeyInfo', 1));\n",
  ),
  noticedBy(
    'login/certificate',
    'a later login presents no certificate',
    'packages/sdk/src/client.ts',
    'this.rpc.login({ ...credential, ...(certificate !== undefined && { certificate }) })',
    'this.rpc.login({ ...credential })',
  ),
  noticedBy(
    'login/poll-headers',
    'a long poll asks for ten times the time',
    'packages/sdk/src/login/long-poll.ts',
    'String(waitMs)',
    'String(waitMs * 10)',
  ),
  noticedBy(
    'tokens/refresh-on-119',
    'talk code 119 is an error like any other',
    errors,
    "this.error === 'MUST_REFRESH_V3_TOKEN' || (",
    '(',
  ),
  noticedBy(
    'tokens/refresh-on-401',
    'HTTP 401 is an error like any other',
    errors,
    '(this.http === 401 && !this.endsSession)',
    'this.http === 402',
  ),
  noticedBy(
    'tokens/one-at-a-time',
    'each call renews the tokens for itself',
    session,
    '    if (this.#renewal) return this.#renewal;\n',
    '',
  ),
  noticedBy(
    'tokens/backoff-on-10202',
    'the pauses between renewals do not grow',
    session,
    'pauseAfter(attempt)',
    'pauseAfter(0)',
  ),
  noticedBy(
    'tokens/stop-on-10201',
    'a refused refresh token does not end the session',
    errors,
    "['SESSION_LOGGED_OUT', 'AUTHENTICATION_FAILED', 'AUTH_INVALID_REQUEST']",
    "['SESSION_LOGGED_OUT', 'AUTHENTICATION_FAILED']",
  ),
  noticedBy(
    'tokens/partial-result',
    'a renewal replaces the stored tokens',
    session,
    'tokens: { ...next.tokens, ...(await this.#refresh(next.tokens)) } }',
    // A session without its id would not be stored, and the stored one would mend the fault.
    'tokens: { loginSessionId: next.tokens.loginSessionId, ...(await this.#refresh(next.tokens)) } as TokenV3IssueResult }',
  ),
  noticedBy(
    'tokens/scheduled',
    'tokens are renewed only after a call has failed',
    session,
    '        this.renew(tokens.accessToken, true).catch(() => {});\n',
    '',
  ),
  noticedBy(
    'tokens/stream-after-scheduled',
    'the stream outlives a scheduled renewal',
    stream,
    "event.kind === 'renewed' && event.scheduled && ours.abort()",
    "event.kind === 'ended' && ours.abort()",
  ),
  noticedBy(
    'wire/signature-of-queries',
    'the query is not signed',
    transport,
    'path: pathname + search,',
    'path: search === undefined ? search : pathname,',
  ),
  noticedBy(
    'wire/client-version',
    'the version of the client is not sent',
    transport,
    "      [brandHeader(options.brand, 'clientVersion')]: clientVersion,\n",
    '',
  ),
  noticedBy(
    'wire/locale',
    'Accept-Language has an underscore',
    transport,
    "options.locale.replace('_', '-')",
    'options.locale',
  ),
  noticedBy(
    'wire/stream-query',
    'the stream is opened without the version',
    stream,
    '{ localRev, version: clientVersion, lastPartialFullSyncs',
    '{ localRev, lastPartialFullSyncs',
  ),
  noticedBy(
    'answers/data-absent',
    'an answer without data is an error',
    transport,
    '  return body.data;\n',
    '  if (body.data === undefined) throw notOurs(what, url, response);\n  return body.data;\n',
  ),
  noticedBy(
    'stream/resume-after-cut',
    'the cursor stays where it was at the start',
    stream,
    '        else cursor = event.operation.revision;\n',
    '',
  ),
  noticedBy(
    'stream/revisions-are-numbers',
    'revisions are compared as texts',
    stream,
    'BigInt(event.operation.revision) <= BigInt(cursor)',
    'event.operation.revision <= cursor',
  ),
  noticedBy(
    'stream/full-sync',
    'fullSync does not move the cursor',
    stream,
    "if (event.kind === 'fullSync') cursor = event.nextRevision;",
    "if (event.kind === 'fullSync') continue;",
  ),
  noticedBy(
    'stream/silence',
    'a silent stream is trusted for five minutes',
    stream,
    'const SILENCE_MS = 30_000;',
    'const SILENCE_MS = 300_000;',
  ),
  noticedBy(
    'stream/open-refused',
    'a refused stream is opened again at once',
    stream,
    '{ initialMs: 500, maxMs: 30_000, multiplier: 2, jitter: 0.5 }',
    '{ initialMs: 1, maxMs: 1, multiplier: 2, jitter: 0.5 }',
  ),
  noticedBy(
    'stream/short-lived',
    'a stream that ends at once is opened again at once',
    stream,
    'const SHORT_LIVED_MS = 1_000;',
    'const SHORT_LIVED_MS = 0;',
  ),
  noticedBy(
    'operations/own-message',
    'own messages count as those of others',
    'packages/sdk/src/bot/event.ts',
    'type === operationTypes.RECEIVE_MESSAGE && message.from !== me',
    'type !== operationTypes.SEND_CONTENT',
  ),
  noticedBy(
    'operations/revision-as-number',
    'a revision that is a JSON number stays one',
    stream,
    'revision: String(operation.revision)',
    'revision: operation.revision',
  ),
  noticedBy(
    'sending/lost-answer',
    'a repeated send has another number',
    'packages/sdk/src/outbox/attempt.ts',
    'sendMessage(row.reqSeq, ready.outgoing)',
    'sendMessage(row.reqSeq + (deps.clock.now() % 1000), ready.outgoing)',
  ),
  noticedBy(
    'sending/retry-after',
    'Retry-After is not read',
    transport,
    "Number(response.headers.get('Retry-After')) * 1000 || undefined",
    'undefined',
  ),
  noticedBy(
    'sending/pauses-grow',
    'a send is repeated at once',
    sender,
    'asked ?? backoffDelay(BACKOFF, failures - 1, ports.random)',
    'asked ?? 0 * failures',
  ),
  noticedBy(
    'reading/history-boundary',
    'the next page begins at an id without its time',
    'packages/sdk/src/sealing/history-pages.ts',
    '          ...(before.deliveredTime !== undefined && { deliveredTime: before.deliveredTime }),\n',
    '',
  ),
  noticedBy(
    'reading/history-to-its-end',
    'the history ends with its first page',
    'packages/sdk/src/replica/replica.ts',
    'complete: older.length < wanted',
    'complete: true',
  ),
  noticedBy(
    'reading/boxes-to-the-end',
    'the boxes end with their first page',
    'packages/sdk/src/replica/server-state.ts',
    'if (!answer.hasNext || !last || last.id === minChatId) return found;',
    'if (!answer.hasNext || !last || last.id !== minChatId) return found;',
  ),
  noticedBy(
    'reading/chats-by-hundred',
    'one call names all ids',
    'packages/sdk/src/gateway/pages.ts',
    'at += size) pages.push(different.slice(at, at + size))',
    'at += different.length) pages.push(different.slice(at, size < 0 ? size : undefined))',
  ),
  noticedBy(
    'groups/join',
    'an answer goes to the sender instead of the group',
    'packages/sdk/src/bot/contexts.ts',
    'return this.send(this.chatMid, what, options);',
    'return this.send(this.operation.message?.from ?? this.chatMid, what, options);',
  ),
  noticedBy(
    'sealing/code-84',
    'a stale key of the receiver is kept',
    sealedSend,
    "    case 'E2EE_RECEIVER_DISABLED':\n      peers.forget(to);\n",
    "    case 'E2EE_RECEIVER_DISABLED':\n",
  ),
  noticedBy(
    'sealing/code-83',
    'a stale own key is kept',
    sealedSend,
    "    case 'E2EE_SENDER_DISABLED':\n      own.forget();\n",
    "    case 'E2EE_SENDER_DISABLED':\n",
  ),
  noticedBy(
    'sealing/code-99',
    'a stale group key is kept',
    sealedSend,
    "    case 'E2EE_GROUP_TOO_MANY_MEMBERS':\n      groups.forget(to);\n",
    "    case 'E2EE_GROUP_TOO_MANY_MEMBERS':\n",
  ),
  noticedBy(
    'sealing/fresh-salt',
    'all messages have one salt',
    'packages/crypto/src/letter-sealing/version-2.ts',
    '[random(SALT), random(NONCE)]',
    '[new Uint8Array(SALT), random(NONCE)]',
  ),
  noticedBy(
    'media/object-token',
    'object storage gets the access token',
    storage,
    "[brandHeader(gateway.brand, 'access')]: await token(),",
    "[brandHeader(gateway.brand, 'access')]: (await token()) && (gateway.session.current?.tokens.accessToken ?? ''),",
  ),
  noticedBy(
    'media/object-application',
    'object storage is not told the kind of client',
    storage,
    "      [brandHeader(gateway.brand, 'application')]: `CHROMEOS\\t${clientVersion}\\tChrome_OS\\t`,\n",
    '',
  ),
  noticedBy(
    'sealing/few-tries',
    'a sealed message that stays refused is sent again for ever',
    'packages/sdk/src/outbox/attempt.ts',
    '!renewable || row.renewals >= RENEWALS',
    '!renewable',
  ),
  noticedBy(
    'sending/numbers-after-restart',
    'messages of the outbox have one number',
    'packages/sdk/src/outbox/numbers.ts',
    'const reqSeq = Math.max(suggested, following > LARGEST_I32 ? SMALLEST_REQ_SEQ : following);',
    'const reqSeq = suggested > following ? SMALLEST_REQ_SEQ : LARGEST_I32;',
  ),
] satisfies readonly Mutant[];
