import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hurriedTimers, never } from '@sealpost/dev-env/hurried-timers';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';
import { virtualTime } from '@sealpost/dev-env/virtual-time';
import {
  createRpcClient,
  GatewayError,
  type RpcClient,
  type RpcClientOptions,
  type Session,
  type SessionEvent,
  systemPorts,
} from '@sealpost/sdk';
import { SessionKeeper } from '../src/gateway/session.ts';

let server: ServerProcess;
let alice: { mid: string; userid: string; password: string };
const clients: RpcClient[] = [];

before(async () => {
  server = await startServer();
  alice = await server.createAccount('alice');
});
after(async () => {
  for (const client of clients) client.close();
  await server?.dispose();
});

function aClient(options: Partial<RpcClientOptions> = {}): RpcClient {
  const client = createRpcClient({ url: server.url, ...options });
  clients.push(client);
  return client;
}

const credential = () => ({ identifier: alice.userid, password: alice.password });

async function aSession(): Promise<Session> {
  return aClient().login(credential());
}

/**
 * Returns the session with a token that the server does not know, as if the session had ended without the client's
 * notice.
 */
const withUnknownToken = (session: Session): Session => ({
  ...session,
  tokens: { ...session.tokens, accessToken: 'unknown' },
});

const isRefresh = (input: unknown): boolean => String(input).endsWith('/api/auth/tokenRefresh');
const answer = (code: number, data: object | null = null) =>
  new Response(JSON.stringify({ code, message: 'REFUSED', data }), { status: 400 });

test('a login with user id and password opens a session that calls can be made with', async () => {
  const client = aClient();
  const session = await client.login(credential());
  assert.equal(session.mid, alice.mid);
  assert.equal((await client.TalkService.getProfile()).mid, alice.mid);
});

test('a wrong password is refused by name, and no session begins', async () => {
  const client = aClient();
  await assert.rejects(client.login({ ...credential(), password: 'wrong' }), (error: GatewayError) => {
    assert.equal(error.error, 'INVALID_IDENTITY_CREDENTIAL');
    assert.match(error.message, /Check the user id and the password/);
    return true;
  });
  assert.equal(client.session, undefined);
});

test('a wrong build token is refused with the setting to look at', async () => {
  const client = aClient({ buildToken: 'another build' });
  await assert.rejects(client.login(credential()), /REQUEST_INVALID_HMAC 10005\).*SEALPOST_BUILD_TOKENS/);
});

test('a call whose token is refused renews the tokens, is replayed once, and the new session is kept', async () => {
  const saved: (Session | undefined)[] = [];
  const old = withUnknownToken(await aSession());
  const storage = { load: () => old, save: (session?: Session) => void saved.push(session) };
  const client = aClient({ session: old, storage });
  assert.equal((await client.TalkService.getProfile()).mid, alice.mid);
  assert.equal(saved.length, 1);
  assert.equal(saved[0]?.tokens.accessToken, client.session?.tokens.accessToken);
  assert.notEqual(client.session?.tokens.accessToken, 'unknown');
});

test('talk code 119 renews too', async () => {
  let refusals = 1;
  const client = aClient({
    session: await aSession(),
    fetch: (input, init) =>
      String(input).endsWith('getProfile') && refusals-- > 0
        ? Promise.resolve(answer(10051, { name: 'TalkException', code: 119, reason: 'Access token refresh required' }))
        : fetch(input, init),
  });
  const before = client.session?.tokens.accessToken;
  assert.equal((await client.TalkService.getProfile()).mid, alice.mid);
  assert.notEqual(client.session?.tokens.accessToken, before);
});

test('calls that are refused together wait for one refresh', async () => {
  let refreshes = 0;
  const counting: typeof fetch = (input, init) => {
    if (isRefresh(input)) refreshes++;
    return fetch(input, init);
  };
  const client = aClient({ session: withUnknownToken(await aSession()), fetch: counting });
  const profiles = await Promise.all(Array.from({ length: 8 }, () => client.TalkService.getProfile()));
  assert.equal(profiles.length, 8);
  assert.equal(refreshes, 1);
});

test('a call that hears late of its refused token takes the new one, without another refresh', async () => {
  let [refreshes, calls] = [0, 0];
  const [called, renewed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow: typeof fetch = async (input, init) => {
    if (isRefresh(input)) {
      refreshes++;
      return fetch(input, init);
    }
    const isFirst = calls++ === 0;
    called.resolve();
    const answer = await fetch(input, init);
    if (isFirst) await renewed.promise;
    return answer;
  };
  const client = aClient({ session: withUnknownToken(await aSession()), fetch: slow });
  const late = client.TalkService.getProfile();
  // Signing takes time, so the second call could otherwise be the first one that is made.
  await called.promise;
  await client.TalkService.getProfile();
  renewed.resolve();
  await late;
  assert.equal(refreshes, 1);
});

test('a refresh that is put off is tried again with back-off and jitter', async () => {
  const session = withUnknownToken(await aSession());
  const { initialDelayInMillis, multiplier, jitterRate } = session.tokens.refreshApiRetryPolicy;
  const waits: number[] = [];
  const hurried = hurriedTimers(1000, never);
  let refusals = 3;
  const client = aClient({
    session,
    random: { bytes: (length) => new Uint8Array(length).fill(0xff) },
    timers: {
      ...hurried,
      after(ms, run, options) {
        if (!options?.background && ms < 30_000) waits.push(ms);
        return hurried.after(ms, run, options);
      },
    },
    fetch: (input, init) => (isRefresh(input) && refusals-- > 0 ? Promise.resolve(answer(10202)) : fetch(input, init)),
  });
  await client.TalkService.getProfile();
  const expected = [0, 1, 2].map((n) => Math.round(Number(initialDelayInMillis) * multiplier ** n * (1 + jitterRate)));
  assert.deepEqual(waits, expected);
});

test('a refresh token that is not valid ends the session', async () => {
  const events: SessionEvent[] = [];
  const saved: (Session | undefined)[] = [];
  const good = withUnknownToken(await aSession());
  const session = { ...good, tokens: { ...good.tokens, refreshToken: 'unknown' } };
  const client = aClient({ session, storage: { load: () => session, save: (s) => void saved.push(s) } });
  client.onSession((event) => events.push(event));
  await assert.rejects(
    client.TalkService.getProfile(),
    (error: GatewayError) => error.error === 'AUTH_INVALID_REQUEST',
  );
  assert.equal(client.session, undefined);
  assert.deepEqual(saved, [undefined]);
  assert.equal(events.length, 1);
  assert.equal(events[0]?.kind, 'ended');
});

test('a session that was logged out elsewhere ends', async () => {
  const session = await aSession();
  const here = aClient({ session });
  await aClient({ session }).logout();
  await assert.rejects(here.TalkService.getProfile(), GatewayError);
  assert.equal(here.session, undefined);
});

test('the tokens are renewed when their time has come', async () => {
  const session = await aSession();
  const { tokenIssueTimeEpochSec, durationUntilRefreshInSec } = session.tokens;
  const due = (Number(tokenIssueTimeEpochSec) + Number(durationUntilRefreshInSec)) * 1000;
  const time = virtualTime();
  const client = aClient({ session, ...time.ports });
  const event = new Promise<SessionEvent>((resolve) => client.onSession(resolve));
  assert.equal(time.step(due - 1), false);
  assert.equal(time.step(due), true);
  assert.deepEqual(await event, { kind: 'renewed', scheduled: true });
  assert.notEqual(client.session?.tokens.accessToken, session.tokens.accessToken);
});

test('a renewal that another process made is taken over instead of refreshing again', async () => {
  const original = await aSession();
  const other = aClient({ session: withUnknownToken(original) });
  await other.TalkService.getProfile();
  const renewed = other.session as Session;
  const client = aClient({
    session: withUnknownToken(original),
    storage: { load: () => renewed, save: () => {} },
    fetch: (input, init) => (isRefresh(input) ? Promise.reject(new Error('must not refresh')) : fetch(input, init)),
  });
  assert.equal((await client.TalkService.getProfile()).mid, alice.mid);
  assert.equal(client.session?.tokens.accessToken, renewed.tokens.accessToken);
});

test('a message whose answer is lost is sent again and arrives once', async () => {
  let losses = 1;
  const client = aClient({
    session: await aSession(),
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (!String(input).endsWith('sendMessage') || losses-- <= 0) return response;
      throw new TypeError('fetch failed');
    },
  });
  const sent = await client.sendText(alice.mid, 'once');
  const recent = await client.TalkService.getRecentMessagesV2(alice.mid, 10);
  assert.deepEqual(
    recent.filter((message) => message.text === 'once').map((message) => message.id),
    [sent.id],
  );
});

for (const outcome of ['renewed', 'refused'] as const) {
  test(`a renewal that is ${outcome} after another session has begun leaves that session alone`, async () => {
    const answered = Promise.withResolvers<Partial<Session['tokens']>>();
    const saved: (string | undefined)[] = [];
    const keeper = new SessionKeeper(() => answered.promise, systemPorts, {
      load: () => undefined,
      save: (session) => void saved.push(session?.mid),
    });
    const session = await aSession();
    const other: Session = { mid: 'uother', tokens: { ...session.tokens, accessToken: 'other' } };
    await keeper.begin(session, { save: true });
    const renewal = keeper.renew(session.tokens.accessToken).catch(() => undefined);
    await keeper.end();
    await keeper.begin(other, { save: true });
    if (outcome === 'renewed') answered.resolve({ accessToken: 'late' });
    else {
      const data = { name: 'TalkException', code: 8, reason: 'V3_TOKEN_CLIENT_LOGGED_OUT' };
      answered.reject(new GatewayError('tokenRefresh', 400, { code: 10051, message: 'REFUSED', data }));
    }
    await renewal;
    assert.deepEqual(keeper.current, other);
    assert.deepEqual(saved, [session.mid, undefined, other.mid]);
    keeper.close();
  });
}
