// Sessions that follow each other in one client, and a stored login that several clients share: none ends another one.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hurriedTimers, never } from '@sealpost/dev-env/hurried-timers';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';
import {
  createRpcClient,
  GatewayError,
  type RpcClient,
  type RpcClientOptions,
  type Session,
  type SessionEvent,
  type SessionStorage,
  type StateChange,
  systemPorts,
} from '@sealpost/sdk';
import { SessionKeeper } from '../src/gateway/session.ts';
import { type Instead, recordedFetch } from './recorded-fetch.ts';

let server: ServerProcess;
let alice: { mid: string; userid: string; password: string };
let bob: typeof alice;
const clients: RpcClient[] = [];

before(async () => {
  server = await startServer();
  [alice, bob] = await Promise.all([server.createAccount('alice'), server.createAccount('bob')]);
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

const logIn = (client: RpcClient, { userid, password } = alice): Promise<Session> =>
  client.login({ identifier: userid, password });

/** Returns the session with an access token that the server does not know, so that the next call renews the tokens. */
const withUnknownToken = (session: Session, accessToken = 'unknown'): Session => ({
  ...session,
  tokens: { ...session.tokens, accessToken },
});

/** A storage as several processes share it. `alone` lets one change after another run. */
function sharedStorage(stored?: Session) {
  const saved: (Session | undefined)[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  const storage: SessionStorage = {
    load: async () => shared.stored,
    save(session) {
      shared.stored = session;
      saved.push(session);
    },
    alone(change) {
      const running = turn.then(change);
      turn = running.catch(() => undefined);
      return running;
    },
  };
  const shared = { ...storage, stored, saved };
  return shared;
}

/** Holds back the first request to a path. Returns what answers it, and what happens when it was sent. */
function held(end: string) {
  const sent = Promise.withResolvers<void>();
  const released = Promise.withResolvers<Response | undefined>();
  let isFirst = true;
  const instead: Instead = ({ path }, ask) => {
    if (!path.split('?')[0]?.endsWith(end) || !isFirst) return undefined;
    isFirst = false;
    sent.resolve();
    return released.promise.then((answer) => answer ?? ask());
  };
  return { ...recordedFetch(instead), sent: sent.promise, release: released.resolve };
}

const endsSession = (code = 8): Response => {
  const data = { name: 'TalkException', code, reason: 'refused' };
  return new Response(JSON.stringify({ code: 10051, message: 'RESPONSE_ERROR', data }), { status: 400 });
};

describe('a late refusal of a former session', () => {
  test('leaves the next login of the account alone', async () => {
    const call = held('getProfile');
    const storage = sharedStorage();
    const client = aClient({ fetch: call.fetch, storage });
    const events: SessionEvent[] = [];
    client.onSession((event) => events.push(event));
    const former = await logIn(client);
    const late = client.TalkService.getProfile();
    await call.sent;
    const next = await logIn(client);
    await client.devices.revoke(former.tokens.loginSessionId);
    call.release(undefined);
    await assert.rejects(late, (error: GatewayError) => error.error === 'SESSION_LOGGED_OUT');
    assert.deepEqual(client.session, next);
    assert.deepEqual(storage.stored, next);
    assert.deepEqual(events, []);
    assert.equal((await client.TalkService.getProfile()).mid, alice.mid);
  });

  for (const [what, code] of [
    ['the end of the session', 8],
    ['an expired token', 119],
  ] as const) {
    test(`is not repeated in the name of another account, if it tells ${what}`, async () => {
      const call = held('sendMessage');
      const client = aClient({ fetch: call.fetch });
      await logIn(client);
      const late = client.sendText(bob.mid, 'of alice');
      await call.sent;
      const next = await logIn(client, bob);
      call.release(endsSession(code));
      await assert.rejects(late, GatewayError);
      assert.deepEqual(client.session, next);
      assert.equal(call.to('sendMessage').length, 1);
    });
  }

  test('is answered by a repetition if the tokens were renewed meanwhile', async () => {
    const call = held('getProfile');
    const client = aClient({ fetch: call.fetch, session: await logIn(aClient()) });
    const old = client.session?.tokens;
    const late = client.TalkService.getProfile();
    await call.sent;
    await client.resume(withUnknownToken(client.session ?? assert.fail()));
    await client.TalkService.getServerTime();
    assert.notEqual(client.session?.tokens.accessToken, old?.accessToken);
    call.release(endsSession());
    assert.equal((await late).mid, alice.mid);
    assert.ok(client.session);
  });

  test('does not end the stream, which goes on with the next login', async () => {
    const client = aClient();
    const former = await logIn(client);
    const changes: StateChange[] = [];
    const stop = new AbortController();
    const received = (async () => {
      for await (const event of client.operations({ signal: stop.signal, onState: (to) => changes.push(to) })) {
        if (event.kind === 'operation' && event.operation.message) return event.operation.message.text;
      }
      return undefined;
    })();
    const states = () => changes.map(({ state }) => state);
    const online = async (times: number) => {
      while (states().filter((state) => state === 'online').length < times) await tick();
    };
    await online(1);
    const next = await logIn(client);
    await client.devices.revoke(former.tokens.loginSessionId);
    await online(2);
    assert.deepEqual(states(), ['connecting', 'online', 'degraded', 'online']);
    assert.deepEqual(client.session, next);
    await client.sendText(alice.mid, 'after');
    assert.equal(await received, 'after');
    stop.abort();
  });

  test('ends the stream of an account when another one has logged in', async () => {
    const client = aClient();
    await logIn(client);
    const changes: StateChange[] = [];
    const stop = new AbortController();
    const onState = (to: StateChange) => {
      changes.push(to);
      if (changes.filter(({ state }) => state === 'online').length > 1) stop.abort();
    };
    const read = (async () => {
      for await (const _ of client.operations({ onState, signal: stop.signal }));
    })();
    read.catch(() => undefined);
    while (changes.at(-1)?.state !== 'online') await tick();
    const former = client.session ?? assert.fail();
    const next = await logIn(client, bob);
    await aClient({ session: former }).logout();
    await assert.rejects(read, GatewayError);
    assert.equal(changes.at(-1)?.state, 'logged_out');
    assert.deepEqual(client.session, next);
  });
});

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

const refreshes = (fetched: ReturnType<typeof recordedFetch>): number => fetched.to('/tokenRefresh').length;

describe('clients that share a stored login', () => {
  test('renew it once, though all need it at the same time', async () => {
    const session = withUnknownToken(await logIn(aClient()));
    const storage = sharedStorage(session);
    const fetched = recordedFetch();
    const all = Array.from({ length: 6 }, () => aClient({ session, storage, fetch: fetched.fetch }));
    const profiles = await Promise.all(all.map((client) => client.TalkService.getProfile()));
    assert.ok(profiles.every(({ mid }) => mid === alice.mid));
    assert.equal(refreshes(fetched), 1);
    assert.equal(storage.saved.length, 1);
  });

  test('read it again before each attempt to renew', async () => {
    const session = withUnknownToken(await logIn(aClient()));
    const storage = sharedStorage(session);
    const other = aClient({ session });
    const fetched = recordedFetch(({ path }) => {
      if (!path.endsWith('/tokenRefresh')) return undefined;
      // The other client renews the tokens while this one waits for its next attempt.
      return other.TalkService.getProfile().then(() => {
        storage.stored = other.session;
        throw new TypeError('fetch failed');
      });
    });
    const client = aClient({ session, storage, fetch: fetched.fetch, timers: hurriedTimers(1000, never) });
    assert.equal((await client.TalkService.getProfile()).mid, alice.mid);
    assert.equal(refreshes(fetched), 1);
    assert.deepEqual(client.session, other.session);
  });

  test('renew stored tokens that are old themselves', async () => {
    const session = await logIn(aClient());
    const dated = (seconds: number, accessToken: string) => {
      const { tokens } = withUnknownToken(session, accessToken);
      return { ...session, tokens: { ...tokens, tokenIssueTimeEpochSec: String(seconds) } };
    };
    const storage = sharedStorage(dated(2, 'of another client'));
    const client = aClient({ session: dated(1, 'of this client'), storage, timers: hurriedTimers(1000, never) });
    assert.equal((await client.TalkService.getProfile()).mid, alice.mid);
    assert.deepEqual(storage.stored, client.session);
  });

  test('keep a login that another one stored, when their own session ends', async () => {
    const [own, stored] = [await logIn(aClient()), await logIn(aClient())];
    const storage = sharedStorage(own);
    const client = aClient({ session: own, storage });
    storage.stored = stored;
    await aClient({ session: own }).logout();
    await assert.rejects(client.TalkService.getProfile(), GatewayError);
    assert.equal(client.session, undefined);
    assert.deepEqual(storage.stored, stored);
    assert.deepEqual(storage.saved, []);
  });

  test('keep a login of another account, when they renew their own', async () => {
    const [own, stored] = [withUnknownToken(await logIn(aClient())), await logIn(aClient(), bob)];
    const storage = sharedStorage(stored);
    const client = aClient({ session: own, storage });
    assert.equal((await client.TalkService.getProfile()).mid, alice.mid);
    assert.equal(client.session?.mid, alice.mid);
    assert.deepEqual(storage.stored, stored);
  });

  test('delete at a logout what another one has renewed', async () => {
    const own = await logIn(aClient());
    const storage = sharedStorage(withUnknownToken(own, 'renewed by another client'));
    await aClient({ session: own, storage }).logout();
    assert.equal(storage.stored, undefined);
  });

  test('change it only alone', async () => {
    const session = withUnknownToken(await logIn(aClient()));
    let isAlone = false;
    const touched: [string, boolean][] = [];
    const storage: SessionStorage = {
      load: () => void touched.push(['load', isAlone]),
      save: () => void touched.push(['save', isAlone]),
      async alone(change) {
        isAlone = true;
        return change().finally(() => {
          isAlone = false;
        });
      },
    };
    const client = aClient({ session, storage });
    await client.TalkService.getProfile();
    await client.logout();
    await logIn(client);
    assert.deepEqual(touched, [
      ['load', true],
      ['save', true],
      ['load', true],
      ['save', true],
      ['save', true],
    ]);
  });

  test('do not delete a login that begins while an ended one is looked up', async () => {
    const found = Promise.withResolvers<undefined>();
    const saved: (string | undefined)[] = [];
    const keeper = new SessionKeeper(() => assert.fail('nothing is renewed'), systemPorts, {
      load: () => found.promise,
      save: (session) => void saved.push(session?.mid),
    });
    const session = await logIn(aClient());
    await keeper.begin(session, { save: false });
    const ended = keeper.end();
    await keeper.begin({ ...session, mid: 'unext' }, { save: true });
    found.resolve(undefined);
    await ended;
    assert.deepEqual(saved, ['unext']);
    keeper.close();
  });
});
