// Registration through the SDK against real servers: invites, challenges, and what people try to get more of both.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { SolvedChallenge } from '@sealpost/contract';
import { INVITE_ALPHABET } from '@sealpost/contract/registration-names';
import { statementsOf } from '@sealpost/dev-env/counted-statements';
import { type DatabaseKind, databases, startServer, type TestServer } from '@sealpost/dev-env/harness';
import { operator } from '@sealpost/dev-env/people';
import { virtualTime } from '@sealpost/dev-env/virtual-time';
import { createRpcClient, systemPorts } from '@sealpost/sdk';
import type { AdminArgs, CreatedInvite } from '@sealpost/sdk/admin';
import { solveChallenge } from '@sealpost/sdk/challenge';
import { Registration, type RegistrationError } from '@sealpost/sdk/registration';
import { sql } from '../../../src/platform/store/sql.ts';

const allInvites = sql('select * from invite');

const START = Date.UTC(2026, 5, 1);
const DAY = 86_400_000;
const PASSWORD = 'correct horse battery';

let people = 0;
const newcomer = () => {
  people += 1;
  return { userid: `newcomer${people}`, password: PASSWORD, displayName: `Newcomer ${people}` };
};
const refused = (status: number, detail?: RegExp) => (error: RegistrationError) => {
  assert.equal(error.status, status, error.message);
  if (detail) assert.match(error.detail, detail);
  return true;
};
const at = (server: Pick<TestServer, 'url'>): Registration =>
  new Registration({ url: server.url, fetch: systemPorts.fetch });
/** Returns the calls of somebody at another address, behind the proxy that the test plays. */
const from = (server: TestServer, address: string): Registration =>
  new Registration({
    url: server.url,
    fetch: (input, init) =>
      fetch(input, { ...init, headers: { ...(init?.headers as object), 'x-forwarded-for': address } }),
  });

async function open(database: DatabaseKind, flags: Readonly<Record<string, string>> = {}) {
  const clock = virtualTime(START);
  const server = await startServer({
    database,
    // The clock stands still, and ids of one millisecond are in the order of their servers.
    servers: 1,
    ports: { clock },
    flags: { 'challenge-work': '5', 'trusted-proxies': '127.0.0.1', ...flags },
  });
  return { clock, server };
}

for (const database of databases) {
  describe(`registration by invite on ${database}`, () => {
    let server: TestServer;
    let clock: ReturnType<typeof virtualTime>;
    before(async () => {
      ({ server, clock } = await open(database, { 'failures-invite-per-address': '1000/3600+1..1' }));
    });
    after(() => server?.close());
    const invite = (asked: AdminArgs<'createInvite'> = {}): Promise<CreatedInvite> =>
      operator(server).createInvite(asked);

    test('an invite opens one account, which logs in, and says so afterwards', async () => {
      const { id, code, link, uses, state } = await invite({
        from: 'The club',
        name: 'Ann',
        userid: 'Ann.A',
        note: 'n',
      });
      assert.deepEqual([uses, state, link], [1, 'usable', `${server.url}/join#${code}`]);
      const seen = await at(server).invite(code);
      const expires = new Date(START + 14 * DAY).toISOString();
      assert.deepEqual(seen, { state, from: 'The club', name: 'Ann', userid: 'ann.a', expires, usesLeft: 1 });
      const { userid, password, displayName } = newcomer();
      const made = await at(server).register({ userid, password, displayName, code });
      assert.deepEqual([made.userid, made.displayName], [userid, displayName]);
      const client = createRpcClient({ url: server.url });
      assert.equal((await client.login({ identifier: userid, password })).mid, made.mid);
      client.close();
      assert.deepEqual((await at(server).invite(code)).state, 'used-up');
      const shown = await operator(server).showInvite({ invite: id });
      assert.deepEqual([shown.used, shown.state, shown.accounts], [1, 'used-up', [made.mid]]);
      await assert.rejects(at(server).register({ ...newcomer(), code }), refused(410, /used up/));
    });

    test('a code is understood as people type it', async () => {
      const { code } = await invite();
      const typed = ` ${code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')} `;
      assert.equal((await at(server).invite(typed)).state, 'usable');
      assert.equal((await at(server).invite(code.replaceAll('-', ''))).state, 'usable');
    });

    test('a code has 100 random bits, and is nowhere in the database', async () => {
      const codes = await Promise.all(Array.from({ length: 20 }, async () => (await invite()).code));
      assert.equal(new Set(codes).size, codes.length);
      for (const code of codes) {
        assert.match(code, new RegExp(`^[${INVITE_ALPHABET}]{5}(-[${INVITE_ALPHABET}]{5}){3}$`));
      }
      const rows = await server.server.store.read((reader) => reader.all(allInvites));
      const text = JSON.stringify([rows, await operator(server).listInvites({ limit: 200 })]);
      assert.ok(codes.every((code) => !text.includes(code) && !text.includes(code.replaceAll('-', ''))));
      assert.equal(new Set(codes.join('').replaceAll('-', '')).size, INVITE_ALPHABET.length, 'all letters occur');
    });

    test('the last use of an invite, raced for, gives exactly one account', async () => {
      const { id, code } = await invite({ uses: 3 });
      await at(server).register({ ...newcomer(), code });
      await at(server).register({ ...newcomer(), code });
      const outcomes = await Promise.allSettled(
        Array.from({ length: 8 }, () => at(server).register({ ...newcomer(), code })),
      );
      const made = outcomes.filter(({ status }) => status === 'fulfilled');
      assert.equal(made.length, 1);
      for (const outcome of outcomes) if (outcome.status === 'rejected') refused(410)(outcome.reason);
      const shown = await operator(server).showInvite({ invite: id });
      assert.deepEqual([shown.used, shown.accounts.length], [3, 3]);
    });

    test('a registration that fails uses nothing up', async () => {
      const { id, code } = await invite();
      const taken = await server.user('taken');
      const someone = newcomer();
      await assert.rejects(at(server).register({ ...someone, userid: taken.userid, code }), refused(409, /is taken/));
      await assert.rejects(at(server).register({ ...someone, password: 'short', code }), refused(400, /password/));
      await assert.rejects(at(server).register({ ...someone, displayName: '', code }), refused(400, /displayName/));
      assert.equal((await operator(server).showInvite({ invite: id })).used, 0);
      await at(server).register({ ...someone, code });
    });

    test('one user id, raced for with two invites, leaves the other invite usable', async () => {
      const invites = [await invite(), await invite()];
      const someone = newcomer();
      const outcomes = await Promise.allSettled(invites.map(({ code }) => at(server).register({ ...someone, code })));
      const [failure, ...others] = outcomes.filter((outcome) => outcome.status === 'rejected');
      assert.ok(failure && others.length === 0);
      refused(409)(failure.reason);
      const used = await Promise.all(
        invites.map(async ({ id }) => (await operator(server).showInvite({ invite: id })).used),
      );
      assert.deepEqual(used.sort(), [0, 1]);
    });

    test('expired and revoked invites are told apart, and open nothing', async () => {
      const [short, revoked, endless] = [await invite({ days: 1 }), await invite(), await invite({ days: 0 })];
      await operator(server).revokeInvite({ invite: revoked.id });
      await clock.advance(DAY - 1);
      assert.equal((await at(server).invite(short.code)).state, 'usable');
      await clock.advance(1);
      assert.deepEqual((await at(server).invite(short.code)).usesLeft, 0);
      await assert.rejects(at(server).register({ ...newcomer(), code: short.code }), refused(410, /has expired/));
      await assert.rejects(at(server).checkUserid('x', short.code), refused(410, /has expired/));
      await assert.rejects(at(server).register({ ...newcomer(), code: revoked.code }), refused(410, /was revoked/));
      await clock.advance(4000 * DAY);
      assert.equal((await at(server).invite(endless.code)).state, 'usable');
      assert.equal(endless.expires, undefined);
    });

    test('e-mail address and phone number of the operator go to the account', async () => {
      const { code } = await invite({ userid: 'mia', email: ' Mia@Example.org', phone: '+81 3 1234 5678' });
      assert.equal(
        JSON.stringify(await at(server).invite(code)).includes('example.org'),
        false,
        'not shown to holders',
      );
      const { mid } = await at(server).register({ ...newcomer(), code });
      const account = await operator(server).showAccount({ account: mid });
      assert.deepEqual([account.email, account.phone], ['mia@example.org', '+81312345678']);
    });

    test('what belongs to one account, control characters and wrong values are refused in an invite', async () => {
      for (const wrong of [
        { uses: 2, userid: 'ann' },
        { uses: 2, email: 'a@example.org' },
        { userid: 'A B' },
        { email: 'nowhere' },
        { phone: '123' },
        { name: 'a\u001b[2Jb' },
        { from: 'a\nb' },
        { uses: 0 },
        { days: 3651 },
      ]) {
        await assert.rejects(invite(wrong), { status: 400 }, JSON.stringify(wrong));
      }
    });

    test('an account that is deleted leaves nothing of its invite but the count', async () => {
      const { id, code } = await invite({ name: 'Zed', userid: 'zed', email: 'zed@example.org', note: 'about Zed' });
      const { mid } = await at(server).register({ ...newcomer(), code });
      await operator(server).deleteAccount({ account: mid });
      const { name, userid, email, note, used, accounts } = await operator(server).showInvite({ invite: id });
      assert.deepEqual(
        [name, userid, email, note, used, accounts],
        [undefined, undefined, undefined, undefined, 1, []],
      );
    });

    test('user ids are checked while typing, for people with a usable invite', async () => {
      const { code } = await invite();
      const taken = await server.user('there');
      const check = (userid: string) => at(server).checkUserid(userid, code);
      assert.deepEqual(await check(' New.Name '), { userid: 'new.name', free: true });
      assert.deepEqual(await check(taken.userid.toUpperCase()), { userid: taken.userid, free: false });
      const { free, problem } = await check('ü');
      assert.deepEqual([free, /^must be 1 to 40/.test(problem ?? '')], [false, true]);
      assert.equal((await check(taken.mid)).free, false);
      await assert.rejects(at(server).checkUserid('new.name'), refused(403, /invite/));
    });

    test('hostile names are refused or come back as they are, and never as a fault of the server', async () => {
      const { code } = await invite({ uses: 100 });
      const harmless = ['<img src=x onerror=alert(1)>', "'; drop table--", '../../etc', '\u202egnp', '👩‍👩‍👧', '𝕏'];
      for (const displayName of harmless.map((name) => [...name].slice(0, 20).join(''))) {
        assert.equal((await at(server).register({ ...newcomer(), displayName, code })).displayName, displayName);
      }
      for (const displayName of ['', ' ', 'a\u0000b', 'a\u001bb', '\ud800', 'x'.repeat(21)])
        await assert.rejects(at(server).register({ ...newcomer(), displayName, code }), refused(400));
      for (const userid of ['', '.', '-a', 'a b', 'ä', '<b>', '../x', 'a\u0000', 'a'.repeat(41), 'admin@example.org'])
        await assert.rejects(at(server).register({ ...newcomer(), userid, code }), refused(400), userid);
    });

    test('every change of the operator is in the audit log', async () => {
      const { id } = await invite({ uses: 2, days: 3 });
      await operator(server).revokeInvite({ invite: id });
      await operator(server).revokeInvite({ invite: id });
      const { entries } = await operator(server).listAudit({ limit: 3 });
      const own = entries.filter(({ subject }) => subject === id).map(({ action, detail }) => [action, detail]);
      assert.deepEqual(own, [
        ['invite.revoke', {}],
        ['invite.create', { uses: 2, days: 3 }],
      ]);
    });

    test('invites are listed in pages, all or those of one state', async () => {
      const made = [await invite({ note: 'page' }), await invite({ note: 'page' }), await invite({ note: 'page' })];
      await operator(server).revokeInvite({ invite: (made[1] as CreatedInvite).id });
      const [, second] = made;
      const first = await operator(server).listInvites({ limit: 2 });
      assert.deepEqual(
        first.invites.map(({ id }) => id),
        [made[2]?.id, second?.id],
      );
      const { cursor } = first;
      assert.ok(cursor);
      assert.equal((await operator(server).listInvites({ limit: 1, cursor })).invites[0]?.id, made[0]?.id);
      const { invites } = await operator(server).listInvites({ limit: 1, state: 'revoked' });
      assert.equal(invites[0]?.id, second?.id);
      await assert.rejects(operator(server).showInvite({ invite: '1' }), { status: 404 });
      await assert.rejects(operator(server).revokeInvite({ invite: 'x' }), { status: 404 });
    });

    test('a challenge is not offered, and registering without a code is refused', async () => {
      assert.equal((await at(server).offer()).mode, 'invite');
      await assert.rejects(at(server).challenge(), refused(403, /invite/));
      await assert.rejects(at(server).register(newcomer()), refused(403, /invite/));
    });
  });

  describe(`guesses at invites on ${database}`, () => {
    test('are limited per address, whatever endpoint they try, and others are not affected', async (t) => {
      const { server, clock } = await open(database, { 'failures-invite-per-address': '3/600+60..120' });
      t.after(() => server.close());
      const { code } = await operator(server).createInvite({});
      const guesser = from(server, '192.0.2.1');
      await assert.rejects(guesser.invite('guess'), refused(404));
      await assert.rejects(guesser.register({ ...newcomer(), code: 'guess' }), refused(404));
      await assert.rejects(guesser.checkUserid('x', 'guess'), refused(404));
      await assert.rejects(guesser.invite('guess'), (error: RegistrationError) => {
        assert.deepEqual([error.status, error.retryAfterMs], [429, 60_000]);
        return true;
      });
      // A right code is refused too. Otherwise the limit would tell which code is right.
      await assert.rejects(guesser.invite(code), refused(429));
      assert.equal((await from(server, '192.0.2.2').invite(code)).state, 'usable');
      await clock.advance(60_000);
      assert.equal((await guesser.invite(code)).state, 'usable');
      await assert.rejects(guesser.invite('guess'), refused(404));
      await assert.rejects(guesser.invite('guess'), refused(429));
      await clock.advance(600_000);
      await assert.rejects(guesser.invite('guess'), refused(404));
    });

    test('at once, stay within the limit', async (t) => {
      const { server } = await open(database, { 'failures-invite-per-address': '3/600+60..120' });
      t.after(() => server.close());
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => at(server).invite('guess')));
      const statuses = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.status);
      assert.deepEqual(new Set(statuses), new Set([404, 429]));
      assert.equal(statuses.filter((status) => status === 404).length, 3);
    });
  });

  describe(`open registration on ${database}`, () => {
    const flags = { registration: 'open', 'registrations-per-address': '2', 'registrations-per-day': '3' };

    test('a solved challenge opens one account, and its progress is told', async (t) => {
      const { server } = await open(database, { registration: 'open' });
      t.after(() => server.close());
      const shares: number[] = [];
      const solved = await at(server).solvedChallenge({ onProgress: (share) => shares.push(share) });
      assert.ok(shares.every((share, n) => share > (shares[n - 1] ?? 0) && share < 1));
      const someone = newcomer();
      const { mid } = await at(server).register({ ...someone, solved });
      assert.match(mid, /^u[0-9a-f]{32}$/);
      await assert.rejects(at(server).register({ ...newcomer(), solved }), refused(410, /used already/));
      assert.deepEqual(await at(server).checkUserid(someone.userid), { userid: someone.userid, free: false });
      const { code } = await operator(server).createInvite({});
      await at(server).register({ ...newcomer(), code });
    });

    test('a challenge, raced for by several, opens exactly one account', async (t) => {
      const { server } = await open(database, { registration: 'open' });
      t.after(() => server.close());
      const solved = await at(server).solvedChallenge();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 5 }, () => at(server).register({ ...newcomer(), solved })),
      );
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const outcome of outcomes) if (outcome.status === 'rejected') refused(410)(outcome.reason);
    });

    test('forged, changed, unsolved, expired and foreign challenges are refused', async (t) => {
      const { server, clock } = await open(database, { registration: 'open' });
      const other = await open('sqlite', { registration: 'open' });
      t.after(() => Promise.all([server.close(), other.server.close()]));
      const solved = await at(server).solvedChallenge();
      const { challenge, solution } = solved;
      const { parameters } = challenge;
      const forged: Record<string, SolvedChallenge> = {
        'a signature of zeros': { solution, challenge: { ...challenge, signature: '0'.repeat(64) } },
        'less work': { solution, challenge: { ...challenge, parameters: { ...parameters, cost: 1 } } },
        'another prefix': { solution, challenge: { ...challenge, parameters: { ...parameters, keyPrefix: '0' } } },
        'a later end': {
          solution,
          challenge: {
            ...challenge,
            parameters: { ...parameters, data: { ...parameters.data, expires: parameters.data.expires + 1 } },
          },
        },
        'another id': {
          solution,
          challenge: { ...challenge, parameters: { ...parameters, data: { ...parameters.data, id: 'mine' } } },
        },
        'another counter': { challenge, solution: { ...solution, counter: solution.counter + 1 } },
        'a made-up key': { challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } },
        'another server': await at(other.server).solvedChallenge(),
      };
      for (const [name, wrong] of Object.entries(forged))
        await assert.rejects(at(server).register({ ...newcomer(), solved: wrong }), refused(422), name);
      await assert.rejects(at(server).register(newcomer()), refused(422, /solved must hold/));
      const late = await at(server).solvedChallenge();
      await clock.advance(parameters.data.expires - clock.now() - 1);
      await at(server).register({ ...newcomer(), solved });
      await clock.advance(1);
      await assert.rejects(at(server).register({ ...newcomer(), solved: late }), refused(422, /has expired/));
    });

    test('a key that begins with no zeros is no solution, even if it is the right key of its counter', async (t) => {
      const { server } = await open(database, { registration: 'open' });
      t.after(() => server.close());
      const challenge = await at(server).challenge();
      const { parameters } = challenge;
      const others = { ...challenge, parameters: { ...parameters, keyPrefix: 'f' } };
      const solution = await solveChallenge(others);
      await assert.rejects(at(server).register({ ...newcomer(), solved: { challenge, solution } }), refused(422));
    });

    test('the limits per address and per day hold at both edges, and failures do not count', async (t) => {
      const { server, clock } = await open(database, flags);
      t.after(() => server.close());
      const register = async (address: string, userid?: string) => {
        const solved = await at(server).solvedChallenge();
        return from(server, address).register({ ...newcomer(), ...(userid && { userid }), solved });
      };
      const { userid } = await register('192.0.2.1');
      await assert.rejects(register('192.0.2.1', userid), refused(409));
      await register('192.0.2.1');
      const solved = await at(server).solvedChallenge();
      const again = () => from(server, '192.0.2.1').register({ ...newcomer(), solved });
      await assert.rejects(again(), refused(429, /2 accounts were opened from your address/));
      await assert.rejects(from(server, '192.0.2.1').challenge(), refused(429));
      await register('2001:db8::1');
      await assert.rejects(register('2001:db8::2'), refused(429, /3 accounts were opened from this server/));
      const { code } = await operator(server).createInvite({});
      await from(server, '192.0.2.1').register({ ...newcomer(), code });
      await clock.advance(DAY - 1);
      await assert.rejects(from(server, '192.0.2.1').challenge(), refused(429));
      await clock.advance(1);
      await register('192.0.2.1');
    });

    test('one address, with many registrations at once, gets as many accounts as it may', async (t) => {
      const { server } = await open(database, { registration: 'open', 'registrations-per-address': '2' });
      t.after(() => server.close());
      const all = await Promise.all(Array.from({ length: 6 }, () => at(server).solvedChallenge()));
      const outcomes = await Promise.allSettled(all.map((solved) => at(server).register({ ...newcomer(), solved })));
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 2);
      for (const outcome of outcomes) if (outcome.status === 'rejected') refused(429)(outcome.reason);
    });

    test('used challenges are forgotten once they have expired', async (t) => {
      const { server, clock } = await open(database, { registration: 'open' });
      t.after(() => server.close());
      const solved = await at(server).solvedChallenge();
      await at(server).register({ ...newcomer(), solved });
      await clock.advance(solved.challenge.parameters.data.expires - clock.now() - 1);
      await server.server.slices.registration.sweep();
      await assert.rejects(at(server).register({ ...newcomer(), solved }), refused(410));
      await clock.advance(1);
      await server.server.slices.registration.sweep();
      await assert.rejects(at(server).register({ ...newcomer(), solved }), refused(422, /has expired/));
    });
  });

  test(`a closed server on ${database} opens no accounts and creates no invites`, async (t) => {
    const { server } = await open(database);
    t.after(() => server.close());
    const { code } = await operator(server).createInvite({});
    const closed = await startServer({ database: 'sqlite', flags: { registration: 'closed' } });
    t.after(() => closed.close());
    assert.equal((await at(closed).offer()).mode, 'closed');
    for (const call of [
      () => at(closed).invite(code),
      () => at(closed).checkUserid('x', code),
      () => at(closed).challenge(),
      () => at(closed).register({ ...newcomer(), code }),
    ])
      await assert.rejects(call(), refused(403));
    await assert.rejects(operator(closed).createInvite({}), { status: 409 });
  });
}

test('calls of one address are limited, and pages of other origins may call if the settings name them', async (t) => {
  const server = await startServer({
    servers: 1,
    flags: { 'rate-registration': '2+0.1', 'allowed-origins': 'https://app.example.org' },
  });
  t.after(() => server.close());
  const path = `${server.url}/api/registration/v1/invite`;
  const ask = (method: string, origin: string) =>
    fetch(path, {
      method,
      headers: { origin, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: '{"code":"x"}' }),
    });
  const preflight = await ask('OPTIONS', 'https://app.example.org');
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-origin'), 'https://app.example.org');
  assert.equal(preflight.headers.get('access-control-allow-headers'), 'Content-Type');
  const foreign = await ask('POST', 'https://evil.example');
  assert.deepEqual([foreign.status, foreign.headers.get('access-control-allow-origin')], [404, null]);
  assert.equal((await ask('POST', 'https://app.example.org')).status, 404);
  const over = await ask('POST', 'https://app.example.org');
  assert.deepEqual([over.status, over.headers.get('access-control-expose-headers')], [429, 'Retry-After']);
  assert.match(over.headers.get('retry-after') ?? '', /^\d+$/);
});

test('a wrong code is the same work, whatever it looks like', async (t) => {
  const server = await startServer({ servers: 1, flags: { 'failures-invite-per-address': '1000/3600+1..1' } });
  t.after(() => server.close());
  const { code } = await operator(server).createInvite({});
  const costOf = (guess: string) => statementsOf(() => assert.rejects(at(server).invite(guess), refused(404)));
  const swap = (at: number) => `${code.slice(0, at)}${code[at] === 'z' ? 'y' : 'z'}${code.slice(at + 1)}`;
  await costOf('the first guess');
  const expected = await costOf('00000-00000-00000-00000');
  for (const guess of [swap(0), swap(code.length - 1), code.slice(0, -1), 'x', '', 'z'.repeat(100)])
    assert.deepEqual(await costOf(guess), expected, guess);
});

const skip = !process.env.SEALPOST_TEST_POSTGRES_URL && 'needs PostgreSQL';
test('three servers of one database give the last use of an invite, and a challenge, to one', { skip }, async (t) => {
  const server = await startServer({ servers: 3, flags: { registration: 'open', 'challenge-work': '5' } });
  t.after(() => server.close());
  const { code } = await operator(server).createInvite({});
  const solved = await at(server).solvedChallenge();
  for (const entry of [{ code }, { solved }]) {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 9 }, () => at(server).register({ ...newcomer(), ...entry })),
    );
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const outcome of outcomes) if (outcome.status === 'rejected') refused(410)(outcome.reason);
  }
});
