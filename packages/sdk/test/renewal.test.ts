// Sessions over virtual months: a real server and real clients, whose clock the test moves.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { hurriedTimers } from '@sealpost/dev-env/hurried-timers';
import { type VirtualTime, virtualTime } from '@sealpost/dev-env/virtual-time';
import {
  createRpcClient,
  GatewayError,
  NetworkError,
  type RpcClient,
  type Session,
  type SessionEvent,
} from '@sealpost/sdk';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Shorter lifetimes than the defaults, so that more renewals happen in the same time. */
const TOKENS = { 'access-token-hours': '24', 'renewal-hours': '12' };
/** One answer is lost in each series of this many refreshes. */
const EVERY = 7;
/**
 * In each series of this many refreshes, `OUTAGE` answers in a row are lost. One renewal does not repeat a refresh that
 * often.
 */
const OUTAGE_EVERY = 60;
const OUTAGE = 6;

let server: TestServer;
let time: VirtualTime;
const clients: RpcClient[] = [];

before(async () => {
  time = virtualTime();
  server = await startServer({ ports: { clock: time }, flags: TOKENS });
});
after(async () => {
  for (const client of clients) client.close();
  await server?.close();
});

interface Line {
  readonly client: RpcClient;
  readonly events: SessionEvent[];
  /** The number of refreshes that reached the server. */
  refreshes: number;
  /** Returns whether the answer to a refresh is lost on its way back. The argument is the number of the refresh. */
  loses: (refresh: number) => boolean;
}

/** Makes a client of the session. Its connection finds the server after a restart, and can lose answers. */
function lineOf(session?: Session): Line {
  const address = server.url;
  const line: Line = { client: undefined as unknown as RpcClient, events: [], refreshes: 0, loses: () => false };
  const client = createRpcClient({
    url: address,
    clock: time,
    timers: hurriedTimers(1000, time.timers.after),
    ...(session ? { session } : {}),
    fetch: async (input, init) => {
      const response = await fetch(String(input).replace(address, server.url), init);
      if (!String(input).endsWith('/tokenRefresh')) return response;
      line.refreshes += 1;
      if (!line.loses(line.refreshes)) return response;
      await response.body?.cancel();
      throw new TypeError('fetch failed');
    },
  });
  clients.push(client);
  client.onSession((event) => line.events.push(event));
  return Object.assign(line, { client });
}

/** Opens another session of the user, in virtual time. */
async function sessionOf(user: TestUser): Promise<Line> {
  const client = await user.session();
  const line = lineOf(client.session);
  client.close();
  return line;
}

const renewals = (line: Line): number => line.events.filter(({ kind }) => kind === 'renewed').length;

/** Moves the time to `until`. Every renewal happens when it is due, and the test waits for it. */
async function liveUntil(until: number, line: Line, atRenewal: (n: number) => Promise<void> = async () => {}) {
  while (time.now() < until) {
    const before = line.events.length;
    if (!time.step(until)) break;
    // The wait ends when the session is renewed, or when a timer is set for a later attempt.
    while (line.events.length === before && !time.waits()) await tick();
    if (line.events.length > before) await atRenewal(renewals(line));
  }
  time.move(Math.max(0, until - time.now()));
}

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));

test('a session lives for 400 days through renewals, lost answers, restarts and calls at every moment', async () => {
  const alice = await server.user('alice');
  const line = await sessionOf(alice);
  const { client } = line;
  line.loses = (refresh) => refresh % EVERY === 0 || refresh % OUTAGE_EVERY < OUTAGE;
  const identity = await client.TalkService.getEncryptedIdentityV3();
  const start = time.now();
  let calls = 0;
  await liveUntil(start + 400 * DAY, line, async (n) => {
    if (n % 100 === 0) await server.restart();
    if (n % 20 !== 0) return;
    calls += 1;
    assert.equal((await client.TalkService.getProfile()).mid, alice.mid);
  });
  assert.ok(client.session, 'the session is alive');
  assert.equal(client.session.mid, alice.mid);
  assert.ok(renewals(line) >= 790, `${renewals(line)} renewals`);
  assert.ok(line.refreshes > renewals(line) * (1 + 0.8 / EVERY), 'answers were lost');
  assert.ok(calls >= 39);
  assert.ok(line.events.every(({ kind }) => kind === 'renewed'));
  assert.deepEqual(await client.TalkService.getEncryptedIdentityV3(), identity);
  client.close();
});

test('calls that are under way while the tokens are renewed all succeed', async () => {
  const user = await server.user('busy');
  const line = await sessionOf(user);
  for (let round = 0; round < 10; round++) {
    const under = Array.from({ length: 8 }, () => line.client.TalkService.getProfile());
    assert.ok(time.step(Number.POSITIVE_INFINITY));
    under.push(...Array.from({ length: 8 }, () => line.client.TalkService.getProfile()));
    const profiles = await Promise.all(under);
    assert.ok(profiles.every(({ mid }) => mid === user.mid));
    while (renewals(line) <= round) await tick();
  }
  line.client.close();
});

test('a token that is replaced goes on working for minutes, not longer', async () => {
  const user = await server.user('grace');
  const line = await sessionOf(user);
  const old = lineOf(line.client.session);
  assert.ok(time.step(Number.POSITIVE_INFINITY));
  while (renewals(line) + renewals(old) === 0) await tick();
  const [renewed, outdated] = renewals(line) ? [line, old] : [old, line];
  time.move(4 * MINUTE);
  await outdated.client.TalkService.getProfile();
  assert.equal(outdated.refreshes, 0);
  assert.ok(renewed.client.session);
  line.client.close();
  old.client.close();
});

test('after days of sleep the expired token is renewed by the first call', async () => {
  const user = await server.user('sleeper');
  const line = await sessionOf(user);
  time.move(300 * DAY);
  assert.equal((await line.client.TalkService.getProfile()).mid, user.mid);
  assert.equal(line.refreshes, 1);
  line.client.close();
});

test('a refresh whose answer is lost is repeated in time, though the call that needed it has failed', async () => {
  const user = await server.user('unlucky');
  const line = await sessionOf(user);
  time.move(25 * HOUR);
  line.loses = (refresh) => refresh <= 4;
  await assert.rejects(line.client.TalkService.getProfile(), NetworkError);
  assert.equal(line.refreshes, 4);
  assert.ok(time.step(time.now() + 10_000), 'another try is due soon');
  while (renewals(line) === 0) await tick();
  time.move(2 * MINUTE);
  assert.equal((await line.client.TalkService.getProfile()).mid, user.mid);
  line.client.close();
});

test('a session that nobody renews for a year is over', async () => {
  const user = await server.user('gone');
  const line = await sessionOf(user);
  time.move(366 * DAY);
  await assert.rejects(line.client.TalkService.getProfile(), GatewayError);
  assert.equal(line.client.session, undefined);
});

for (const first of ['thief', 'owner'] as const) {
  test(`a refresh token that two use ends the session for both, though the ${first} comes first`, async () => {
    const user = await server.user('victim');
    const owner = await sessionOf(user);
    const other = await sessionOf(user);
    const thief = lineOf(owner.client.session);
    owner.client.close();
    const victim = lineOf(owner.client.session);
    const [early, late] = first === 'thief' ? [thief, victim] : [victim, thief];
    time.move(25 * HOUR);
    await early.client.TalkService.getProfile();
    time.move(2 * MINUTE);
    await assert.rejects(
      late.client.TalkService.getProfile(),
      (error: GatewayError) => error.error === 'AUTH_INVALID_REQUEST',
    );
    await assert.rejects(
      early.client.TalkService.getProfile(),
      (error: GatewayError) => error.error === 'SESSION_LOGGED_OUT',
    );
    for (const line of [early, late]) assert.equal(line.events.at(-1)?.kind, 'ended');
    assert.equal((await other.client.TalkService.getProfile()).mid, user.mid, 'other sessions of the account live on');
    for (const line of [thief, victim, other]) line.client.close();
  });
}

test('a new password ends every session, and only it opens a new one', async () => {
  const user = await server.user('changer');
  const lines = [await sessionOf(user), await sessionOf(user)];
  const response = await fetch(`${server.url}/api/admin/v1/accounts/${user.mid}/reset-password`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ password: 'another password of the user' }),
  });
  assert.ok(response.ok, await response.text());
  for (const { client } of lines) {
    await assert.rejects(client.TalkService.getProfile(), (error: GatewayError) => error.endsSession);
    assert.equal(client.session, undefined);
  }
  const { client } = lineOf();
  const loginWith = (password: string) => client.login({ identifier: user.userid, password });
  await assert.rejects(loginWith(user.password));
  assert.equal((await loginWith('another password of the user')).mid, user.mid);
});

test('the token for object storage is the first cell of the second row, and another one than the access token', async () => {
  const user = await server.user('storage');
  const line = await sessionOf(user);
  const blob = await line.client.TalkService.acquireEncryptedAccessToken(2);
  const token = blob.split('\x1e')[1]?.split('\x1f')[0] ?? '';
  assert.ok(token.length > 20);
  assert.notEqual(token, line.client.session?.tokens.accessToken);
  const read = () => server.server.slices.sessions.readObjectToken(token);
  assert.equal((await read())?.mid, user.mid);
  time.move(DAY);
  assert.equal(await read(), undefined);
  line.client.close();
});
