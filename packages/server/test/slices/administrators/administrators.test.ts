// How administrators come to be, log in and end: setup links, passwords, codes, cookies, sessions.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  adminBrowser,
  authenticator,
  logInAdministrator,
  setupSecret,
  stoppedClock,
  type TestAdministrator,
} from '@sealpost/dev-env/administrators';
import { databases, startServer, type TestServer } from '@sealpost/dev-env/harness';
import { operator } from '@sealpost/dev-env/people';
import { AdminError } from '@sealpost/sdk/admin';
import { sql } from '../../../src/platform/store/sql.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Returns a check of a refusal of the admin API. */
const refused =
  (status: number, detail = /./) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof AdminError, String(error));
    assert.equal(error.status, status, error.message);
    assert.match(error.detail, detail);
    return true;
  };

const idOf = '(select id from administrator where name = ?)';
const deleteFactors = sql(`delete from administrator_factor where administrator_id = ${idOf}`);
const deleteRecoveryCodes = sql(`delete from administrator_recovery_code where administrator_id = ${idOf}`);

for (const database of databases) {
  describe(`administrators on ${database}`, () => {
    let server: TestServer;
    const clock = stoppedClock();
    before(async () => {
      server = await startServer({ database, ports: { clock }, flags: { 'rate-admin': '100000+1000' } });
    });
    after(() => server?.close());
    // Each test begins in a new half minute, in which no code was used.
    beforeEach(() => clock.move(MINUTE_MS));

    const now = () => clock.now();
    const admin = (name?: string): Promise<TestAdministrator> =>
      logInAdministrator(server, { now, ...(name !== undefined && { name }) });
    const names = async () => (await operator(server).listAdministrators()).administrators.map(({ name }) => name);
    const linkOfStart = async () => {
      const made = await server.server.slices.administrators.linkOfStart();
      assert.ok(made, 'the server has no administrator');
      return made.link.split('#setup=')[1] ?? '';
    };
    /** Uses a link up to the step at which a second factor is missing. */
    async function begun(setup: string, name: string) {
      const browser = adminBrowser(server);
      const state = await browser.client.setUp({ setup, name, password: `the password of ${name}` });
      assert.equal(state.state, 'enrol');
      const { secret } = await browser.client.beginTotp();
      assert.match(secret, /^[A-Z2-7]{32}$/, 'twenty bytes, and none of the memory around them');
      const app = authenticator(secret, now);
      return { ...browser, finish: () => browser.client.addTotp({ code: app.code(), name: 'phone' }) };
    }
    const passed = async (name: string) => {
      const browser = adminBrowser(server);
      await browser.client.logIn({ name, password: `the password of ${name}` });
      return browser;
    };

    describe('the first one', () => {
      test('is made by one of two people who use links of a start at the same time', async () => {
        const [first, second] = await Promise.all([linkOfStart(), linkOfStart()]);
        const unused = await linkOfStart();
        const people = await Promise.all([begun(first, 'ann'), begun(second, 'ben')]);
        assert.deepEqual(await names(), [], 'nobody is an administrator without a second factor');
        const outcomes = await Promise.allSettled(people.map(({ finish }) => finish()));
        assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
        assert.equal((await names()).length, 1);
        const late = adminBrowser(server).client.setUp({ setup: unused, name: 'cid', password: 'correct horse' });
        await assert.rejects(late, refused(403));
        assert.equal(await server.server.slices.administrators.linkOfStart(), undefined);
      });

      test('and the last may be removed only when one says so, and then the setup link comes back', async () => {
        const [only = ''] = await names();
        const { removeAdministrator } = operator(server);
        await assert.rejects(removeAdministrator({ administrator: only }), refused(409, /the last administrator/));
        await removeAdministrator({ administrator: only, last: true });
        assert.deepEqual(await names(), []);
        const { finish } = await begun(await linkOfStart(), 'ann');
        assert.equal((await finish()).login.state, 'full');
      });
    });

    describe('a setup link', () => {
      test('is for one use, also if ten use it at once', async () => {
        const setup = await setupSecret(server);
        const uses = Array.from({ length: 10 }, (_, n) =>
          adminBrowser(server).client.setUp({ setup, name: `racer-${n}`, password: 'correct horse' }),
        );
        const outcomes = await Promise.allSettled(uses);
        assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
        await assert.rejects(
          adminBrowser(server).client.setUp({ setup, name: 'late', password: 'correct horse' }),
          refused(403, /was used/),
        );
      });

      test('works for 15 minutes', async () => {
        const [early, late] = [await setupSecret(server), await setupSecret(server)];
        clock.move(15 * MINUTE_MS - 1);
        await begun(early, 'early');
        clock.move(1);
        await assert.rejects(begun(late, 'late'), refused(403, /older than 15 minutes/));
      });

      test('for a name makes nobody else, and is not used up by the attempt', async () => {
        const setup = await setupSecret(server, 'dora');
        await assert.rejects(begun(setup, 'eve'), refused(403, /is for the administrator dora/));
        await (await begun(setup, 'dora')).finish();
        assert.ok((await names()).includes('dora'));
        await assert.rejects(operator(server).createSetupLink({ name: 'dora' }), refused(409));
        await assert.rejects(begun(await setupSecret(server), 'dora'), refused(409, /has the name dora/));
      });

      test('refuses a weak password and stays usable; a guess is a security event', async () => {
        const setup = await setupSecret(server);
        const setUp = adminBrowser(server).client.setUp;
        await assert.rejects(setUp({ setup, name: 'weak', password: 'password' }), refused(400, /most common/));
        await assert.rejects(setUp({ setup: 'x'.repeat(43), name: 'weak', password: 'correct horse' }), refused(403));
        await setUp({ setup, name: 'weak', password: 'correct horse' });
      });

      test('leaves 15 minutes to set up a second factor, without which nobody logs in', async () => {
        const { client, finish } = await begun(await setupSecret(server), 'slow');
        await assert.rejects(passed('slow'), refused(401, /name or the password/));
        await assert.rejects(client.listAccounts(), refused(401, /not finished: enrol/));
        clock.move(15 * MINUTE_MS);
        await assert.rejects(finish(), refused(401));
        // The name is free again.
        await (await begun(await setupSecret(server), 'slow')).finish();
      });
    });

    describe('a login', () => {
      let ann: TestAdministrator;
      before(async () => {
        ann = await admin('login-ann');
      });

      test('needs the password and a code, and gives another cookie at each step', async () => {
        const browser = adminBrowser(server);
        assert.equal((await browser.client.showLogin()).state, 'none');
        const { state, factors } = await browser.client.logIn({ name: ann.name, password: ann.password });
        assert.deepEqual([state, factors], ['second-factor', ['totp', 'recovery-code']]);
        const half = browser.cookie;
        for (const call of [browser.client.listAccounts, browser.client.listSecondFactors, browser.client.listTokens])
          await assert.rejects(call(), refused(401, /not finished/));
        const full = await browser.client.logInWithTotp({ code: ann.code() });
        assert.equal(full.state, 'full');
        assert.notEqual(browser.cookie, half);
        assert.match(
          browser.lastSetCookie() ?? '',
          /^sealpost_admin=[\w-]{43}; Path=\/api\/admin; Max-Age=43200; HttpOnly; SameSite=Strict$/,
        );
        await browser.client.listAccounts();
        // Whoever planted or saw the cookie of the first step has nothing.
        const planted = adminBrowser(server);
        planted.cookie = half;
        assert.equal((await planted.client.showLogin()).state, 'none');
        await assert.rejects(planted.client.listAccounts(), refused(401));
        await browser.client.logOut();
        assert.equal(browser.cookie, '');
      });

      test('with the password alone is refused, also to an administrator without any second factor', async () => {
        const fay = await admin('login-fay');
        await server.server.store.transact(async (tx) => {
          await tx.run(deleteFactors, fay.name);
          await tx.run(deleteRecoveryCodes, fay.name);
        });
        await assert.rejects(passed(fay.name), refused(401, /name or the password/));
      });

      test('takes each code once, at whichever login, and codes of clocks that differ by half a minute', async () => {
        const code = ann.codeAt(now());
        await (await passed(ann.name)).client.logInWithTotp({ code });
        await assert.rejects((await passed(ann.name)).client.logInWithTotp({ code }), refused(403, /used before/));
        const before = ann.codeAt(now() - 30_000);
        await assert.rejects((await passed(ann.name)).client.logInWithTotp({ code: before }), refused(403));
        await (await passed(ann.name)).client.logInWithTotp({ code: ann.codeAt(now() + 30_000) });
        clock.move(5 * MINUTE_MS);
        await (await passed(ann.name)).client.logInWithTotp({ code: ann.codeAt(now() - 30_000) });
        for (const skew of [-60_000, 60_000]) {
          const outside = (await passed(ann.name)).client.logInWithTotp({ code: ann.codeAt(now() + skew) });
          await assert.rejects(outside, refused(403));
        }
      });

      test('with one code from ten browsers at once succeeds once', async () => {
        clock.move(HOUR_MS);
        const bea = await admin('login-bea');
        clock.move(MINUTE_MS);
        const browsers = await Promise.all(Array.from({ length: 4 }, () => passed(bea.name)));
        const code = bea.codeAt(now());
        const outcomes = await Promise.allSettled(browsers.map(({ client }) => client.logInWithTotp({ code })));
        assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
      });

      test('is over after five wrong codes, and after five minutes', async () => {
        const cleo = await admin('login-cleo');
        const browser = await passed(cleo.name);
        for (let tries = 0; tries < 4; tries++)
          await assert.rejects(browser.client.logInWithTotp({ code: '000000' }), refused(403));
        clock.move(MINUTE_MS * 2);
        await assert.rejects(browser.client.logInWithTotp({ code: '000000' }), refused(403));
        assert.equal((await browser.client.showLogin()).state, 'none');
        clock.move(24 * HOUR_MS);
        const slow = await passed(cleo.name);
        clock.move(5 * MINUTE_MS);
        await assert.rejects(slow.client.logInWithTotp({ code: cleo.codeAt(now()) }), refused(401));
      });

      test('with a recovery code works once for each code, however it is written', async () => {
        const dan = await admin('login-dan');
        const [first = '', second = ''] = dan.recoveryCodes;
        assert.equal(new Set(dan.recoveryCodes).size, 10);
        await (await passed(dan.name)).client.logInWithRecoveryCode({ code: first });
        await assert.rejects((await passed(dan.name)).client.logInWithRecoveryCode({ code: first }), refused(403));
        const browser = await passed(dan.name);
        await browser.client.logInWithRecoveryCode({ code: second.replaceAll('-', ' ').toUpperCase() });
        assert.equal((await browser.client.listSecondFactors()).recoveryCodesLeft, 8);
        const { recoveryCodes } = await browser.client.makeRecoveryCodes({ password: dan.password });
        const old = (await passed(dan.name)).client.logInWithRecoveryCode({ code: dan.recoveryCodes[2] ?? '' });
        await assert.rejects(old, refused(403));
        await (await passed(dan.name)).client.logInWithRecoveryCode({ code: recoveryCodes[0] ?? '' });
      });

      test('answers alike for a wrong password and for nobody, and both are limited by name', async () => {
        const eva = await admin('login-eva');
        const answers: string[] = [];
        for (const name of [eva.name, 'nobody-there']) {
          for (let tries = 0; tries < 5; tries++) {
            const wrong = adminBrowser(server).client.logIn({ name, password: 'not the password' });
            await assert.rejects(wrong, (error) => {
              answers.push((error as AdminError).message);
              return refused(401)(error);
            });
          }
          const more = adminBrowser(server).client.logIn({ name, password: 'not the password' });
          await assert.rejects(more, refused(429, /Too many login attempts/));
        }
        assert.equal(new Set(answers).size, 1, answers.join('\n'));
        await assert.rejects(passed(eva.name), refused(429), 'the right password has to wait, too');
        clock.move(HOUR_MS);
        await passed(eva.name);
      });
    });

    describe('a session', () => {
      let ann: TestAdministrator;
      before(async () => {
        ann = await admin('session-ann');
      });
      beforeEach(async () => {
        clock.move(MINUTE_MS);
        ann.cookie = '';
        await ann.client.logIn({ name: ann.name, password: ann.password });
        await ann.client.logInWithTotp({ code: ann.code() });
      });

      test('ends after an hour without a request, and after twelve hours at the latest', async () => {
        for (let hours = 0; hours < 11; hours++) {
          clock.move(HOUR_MS - MINUTE_MS);
          await ann.client.listAccounts();
        }
        clock.move(HOUR_MS);
        await assert.rejects(ann.client.listAccounts(), refused(401));
        assert.equal((await ann.client.showLogin()).state, 'none');
        ann.cookie = '';
        await ann.client.logIn({ name: ann.name, password: ann.password });
        await ann.client.logInWithTotp({ code: ann.code() });
        for (let minutes = 0; minutes < 720; minutes += 45) {
          await ann.client.listAccounts();
          clock.move(45 * MINUTE_MS);
        }
        await assert.rejects(ann.client.listAccounts(), refused(401));
      });

      test('is listed, and ended by another administrator, who finds it in the audit log', async () => {
        const bob = await admin();
        const { sessions } = await bob.client.listAdminSessions();
        assert.deepEqual(
          sessions.filter(({ current }) => current).map(({ administrator }) => administrator),
          [bob.name],
        );
        const own = sessions.find(({ administrator }) => administrator === ann.name);
        await bob.client.endAdminSession({ session: own?.id ?? '' });
        await assert.rejects(ann.client.listAccounts(), refused(401));
        await assert.rejects(bob.client.endAdminSession({ session: own?.id ?? '' }), refused(404));
        const [entry] = (await bob.client.listAudit({ limit: 1 })).entries;
        assert.deepEqual(
          [entry?.actor, entry?.action, entry?.subject],
          [`administrator:${bob.name}`, 'administrator.end-session', ann.name],
        );
      });

      test('is ended by a new password elsewhere, and by the removal of the administrator', async () => {
        const carl = await admin();
        const there = await passed(carl.name);
        clock.move(MINUTE_MS);
        await there.client.logInWithTotp({ code: carl.code() });
        const newPassword = 'battery staple';
        const wrong = carl.client.changePassword({ password: 'no', newPassword });
        await assert.rejects(wrong, refused(403, /password is wrong/));
        await carl.client.changePassword({ password: carl.password, newPassword });
        await assert.rejects(there.client.listAccounts(), refused(401));
        await carl.client.listAccounts();
        await assert.rejects(passed(carl.name), refused(401));
        await ann.client.removeAdministrator({ administrator: carl.name });
        await assert.rejects(carl.client.listAccounts(), refused(401));
        await assert.rejects(ann.client.removeAdministrator({ administrator: carl.name }), refused(404));
      });

      test('does nothing for a page of another origin, and nothing without the word of a browser', async () => {
        const deputies: Readonly<Record<string, string>>[] = [
          { Origin: 'https://evil.example' },
          { Origin: 'null' },
          { Origin: '' },
          { 'Sec-Fetch-Site': 'cross-site' },
          { 'Sec-Fetch-Site': 'same-site' },
          { 'Sec-Fetch-Site': 'none' },
          { Origin: new URL(server.url).origin.replace(/\d+$/, '1') },
        ];
        for (const headers of deputies) {
          const page = adminBrowser(server, headers);
          page.cookie = ann.cookie;
          const forged = page.client.createToken({ name: 'stolen', scopes: ['read'] });
          await assert.rejects(forged, refused(403, /a page of this server/), JSON.stringify(headers));
          // Nor can it log the administrator in to another session.
          page.cookie = '';
          const login = page.client.logIn({ name: ann.name, password: ann.password });
          await assert.rejects(login, refused(403), JSON.stringify(headers));
        }
        assert.deepEqual((await ann.client.listTokens()).tokens, []);
        const own = adminBrowser(server, { 'Sec-Fetch-Site': 'same-origin' });
        own.cookie = ann.cookie;
        const { id } = await own.client.createToken({ name: 'mine', scopes: ['read'] });
        await own.client.revokeToken({ token: id });
      });

      test('adds and removes second factors with the password, but never the last', async () => {
        await assert.rejects(ann.client.beginTotp(), refused(403, /password is wrong/));
        const { secret } = await ann.client.beginTotp({ password: ann.password });
        const app = authenticator(secret, now);
        await assert.rejects(ann.client.addTotp({ code: '000000', name: 'tablet' }), refused(403));
        const added = await ann.client.addTotp({ code: app.code(), name: 'tablet' });
        assert.equal(added.recoveryCodes, undefined);
        const { factors } = await ann.client.listSecondFactors();
        assert.deepEqual(
          factors.map(({ name }) => name),
          ['phone', 'tablet'],
        );
        const remove = (n: number, password = ann.password) =>
          ann.client.removeSecondFactor({ factor: factors[n]?.id ?? '', password });
        await assert.rejects(remove(0, 'no'), refused(403));
        const removals = await Promise.allSettled([remove(0), remove(1)]);
        assert.deepEqual(removals.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
        assert.equal((await ann.client.listSecondFactors()).factors.length, 1);
      });
    });
  });
}
