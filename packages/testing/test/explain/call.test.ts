// Calls to a real server, explained from what went over the wire.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { talkCodes } from '@sealpost/contract';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { type ExplainedCall, explainCall, explainCalls, type LoggedCall } from '@sealpost/testing/explain';
import { loggingClient } from '../logging-client.ts';

let server: TestServer;
let alice: TestUser;
let bob: TestUser;
before(async () => {
  server = await startServer();
  alice = await server.user('alice');
  bob = await server.user('bob');
});
after(() => server.close());

const known = { buildTokens: ['sealpost-dev'] };

/** Makes calls as Alice, and returns the last one explained. */
async function last(
  work: (client: TestUser['client']) => Promise<unknown>,
  spoil?: Parameters<typeof loggingClient>[2],
): Promise<ExplainedCall> {
  const { client, calls } = loggingClient(server.url, alice.client.session, spoil);
  server.atEnd(() => client.close());
  await work(client).catch(() => undefined);
  const explained = explainCalls(calls, known).at(-1);
  assert.ok(explained);
  return explained;
}

test('a call that succeeds: its name, arguments, result, and a right signature', async () => {
  const message = { to: bob.mid, contentType: 0, text: 'Grüße' } as const;
  const call = await last((client) => client.TalkService.sendMessage(7, message));
  assert.equal(call.endpoint, 'TalkService.sendMessage');
  assert.deepEqual(call.args, { reqSeq: 7, message });
  assert.deepEqual([call.status, call.signature.state, call.nextStep, call.hints], [200, 'right', 'go on', []]);
  assert.match(JSON.stringify(call.result), /"text":"Grüße"/);
});

test('an older form of the arguments is told in the form of the contract', async () => {
  const call = await last(
    (client) =>
      client.TalkService.setChatHiddenStatus({ reqSeq: 1, chatMid: bob.mid, lastMessageId: '0', hidden: true }),
    (request) => {
      request.body = JSON.stringify([5, bob.mid, true]);
    },
  );
  assert.deepEqual(call.args, { request: { reqSeq: 5, chatMid: bob.mid, hidden: true } });
  // The body was changed behind the signature, and the client cannot have meant this one.
  assert.deepEqual([call.signature.state, call.error?.name, call.nextStep], ['wrong', 'REQUEST_INVALID_HMAC', 'fix']);
});

test('a body that was encoded anew behind the signature', async () => {
  const call = await last(
    (client) => client.TalkService.sendMessage(8, { to: bob.mid, contentType: 0, text: 'a' }),
    (request) => {
      request.body = JSON.stringify(JSON.parse(request.body), null, 2);
    },
  );
  assert.deepEqual([call.status, call.error?.code], [400, 10005]);
  assert.match(call.signature.cause ?? '', /anew: without spaces/);
});

test('an error of a method: its meaning, and that a repetition does not help', async () => {
  const call = await last((client) => client.TalkService.getContact(`u${'0'.repeat(32)}`));
  assert.deepEqual([call.error?.name, call.error?.code, call.nextStep], ['NOT_FOUND', 5, 'fix']);
  assert.equal(call.error?.meaning, 'The object does not exist, or is not visible to the caller.');
  assert.deepEqual(call.hints, ['Do not retry: the same call fails again.']);
});

test('a call without a login, and one after a logout', async () => {
  const dropToken = (request: { headers: Headers }): void => request.headers.delete('X-Svc-Access');
  const { session } = alice.client;
  const call = await last((client) => client.TalkService.getProfile(), dropToken);
  assert.equal(call.error?.name, 'REQUEST_INVALID_HMAC');
  // Without the header only the token of another call is known, and it is found.
  const both = explainCalls(
    [callWith({ headers: [['X-Svc-Access', session?.tokens.accessToken ?? '']] }), callOf(call)],
    known,
  );
  assert.match(both[1]?.signature.cause ?? '', /the request does not carry it/);

  const other = await alice.session();
  const { client, calls } = loggingClient(server.url, other.session);
  server.atEnd(() => client.close());
  await client.AuthService.logoutV2();
  const tokens = other.session;
  const again = loggingClient(server.url, tokens);
  server.atEnd(() => again.client.close());
  await assert.rejects(again.client.TalkService.getProfile());
  const [explained] = explainCalls(again.calls, known);
  assert.deepEqual([explained?.error?.name, explained?.nextStep], ['SESSION_LOGGED_OUT', 'stop']);
  assert.match(explained?.hints[0] ?? '', /^Stop: the session is over/);
  assert.equal(calls[0]?.answer?.status, 200);
});

/** Returns the request of an explained call, for another explanation. */
const callOf = ({ verb, path, signature }: ExplainedCall): LoggedCall => ({
  verb,
  path,
  headers: [['X-Hmac', signature.given ?? '']],
  body: Buffer.from('[]'),
});

const callWith = (more: Partial<LoggedCall>): LoggedCall => ({
  verb: 'POST',
  path: '/api/talk/thrift/Talk/TalkService/getProfile',
  headers: [],
  body: Buffer.from('[]'),
  ...more,
});

const answered = (status: number, body: object, headers: string[][] = []): Pick<LoggedCall, 'answer'> => ({
  answer: { status, headers, body: Buffer.from(JSON.stringify(body)) },
});
const talk = (code: number) => ({
  code: 10051,
  message: 'RESPONSE_ERROR',
  data: { name: 'TalkException', code, reason: 'r' },
});

test('what to do: retry with the same reqSeq, renew, or log in', () => {
  const send = { path: '/api/talk/thrift/Talk/TalkService/sendMessage' };
  const limited = explainCall(callWith({ ...send, ...answered(400, talk(4), [['Retry-After', '3']]) }), known);
  assert.equal(limited.nextStep, 'retry');
  assert.match(limited.hints[0] ?? '', /same call again after 3 s\. Keep its reqSeq/);
  const expired = explainCall(callWith(answered(400, talk(119))), known);
  assert.deepEqual([expired.error?.name, expired.nextStep], ['MUST_REFRESH_V3_TOKEN', 'renew']);
  const unknown = explainCall(
    callWith(answered(401, { code: 10004, message: 'REQUEST_NEED_LOGIN', data: null })),
    known,
  );
  assert.equal(unknown.nextStep, 'log in');
  const lost = explainCall(callWith({ ...send, ...answered(0, {}) }), known);
  assert.equal(lost.nextStep, 'retry');
  assert.match(lost.hints[0] ?? '', /may have taken effect.* reqSeq/);
});

test('errors that the contract does not declare, or does not know', () => {
  const undeclared = explainCall(callWith(answered(400, talk(talkCodes.E2EE_RETRY_ENCRYPT))), known);
  assert.equal(undeclared.error?.name, 'E2EE_RETRY_ENCRYPT');
  assert.match(undeclared.hints.join(' '), /does not declare E2EE_RETRY_ENCRYPT for TalkService.getProfile/);
  const unlisted = explainCall(callWith(answered(400, talk(7))), known);
  assert.deepEqual([unlisted.error?.name, unlisted.error?.code], [undefined, 7]);
  assert.match(unlisted.error?.meaning ?? '', /NOT_AVAILABLE_USER, which is not in the error table/);
});

test('a wrong path, verb or brand is told', () => {
  const path = '/api/talk/thrift/TalkService/sendMessage';
  const lost = explainCall(
    callWith({ path, ...answered(404, { code: 10052, message: 'RESPONSE_HTTP_ERROR' }) }),
    known,
  );
  assert.equal(lost.error?.name, 'NOT_FOUND_PATH');
  assert.match(
    lost.hints.join(' '),
    /TalkService.sendMessage is at \/api\/talk\/thrift\/Talk\/TalkService\/sendMessage/,
  );
  const get = explainCall(callWith({ verb: 'GET' }), known);
  assert.ok(get.hints.includes('TalkService.getProfile takes POST, not GET.'));
  const branded = explainCall(callWith({ headers: [['X-Xyz-Access', 'token']] }), known);
  assert.match(branded.hints.join(' '), /Explain with --brand Xyz/);
});

test('endpoints outside of RPC: arguments from path, query and body', () => {
  const notices = explainCall(callWith({ verb: 'GET', path: '/api/lan/notice?lang=en%20US&nextSeq=0' }), known);
  assert.deepEqual([notices.endpoint, notices.args], ['notices', { lang: 'en US', nextSeq: '0' }]);
  const object = explainCall(callWith({ verb: 'GET', path: '/r/talk/m/12345/info.obs' }), known);
  assert.deepEqual([object.endpoint, object.args], ['objectInfo', { service: 'talk', sid: 'm', oid: '12345' }]);
  const body = Buffer.from('{"refreshToken":"t"}');
  const renewal = explainCall(callWith({ path: '/api/auth/tokenRefresh', body }), known);
  assert.deepEqual([renewal.endpoint, renewal.args], ['tokenRefresh', { refreshToken: 't' }]);
});
