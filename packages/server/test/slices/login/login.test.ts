import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ApiError, type ErrorName, failureLimits } from '@sealpost/contract';
import type { LoginRequest, PendingLogin, RSAKeyInfo } from '@sealpost/contract/schemas';
import { openSlices, type Slices } from '@sealpost/dev-env/account-slices';
import { databases } from '@sealpost/dev-env/harness';
import type { RateExceeded } from '../../../src/platform/rpc/rate-exceeded.ts';
import { sql } from '../../../src/platform/store/sql.ts';
import { type Store, StoreUnavailable } from '../../../src/platform/store/store.ts';
import { createAttemptStore } from '../../../src/slices/login/attempt-store.ts';
import { createFailures, type Failures } from '../../../src/slices/login/failures.ts';
import { refreshRoute } from '../../../src/slices/login/index.ts';
import { clientOf, credential, encrypt, loginOf, sealing } from './login-client.ts';

const is = (code: ErrorName) => (error: ApiError) => error.code === code;
const MINUTE = 60_000;

const allLoginKeys = sql<{ name: string; sealed: string }>('select name, sealed from login_key');
const allAttempts = sql<{ key: string }>('select key from attempt');
const newsOf = sql<{ param1: string; param2: string; param3: string }>(
  'select param1, param2, param3 from operation where account_id = ? order by revision',
);

for (const kind of databases) {
  describe(`login on ${kind}`, () => {
    let slices: Slices;
    let users = 0;
    const account = async () => {
      const userid = `person${users++}`;
      const email = `${userid}@example.org`;
      const phone = `+8190000${String(10000 + users)}`;
      const created = await slices.accounts.create({
        userid,
        password: 'correct horse',
        displayName: userid,
        email,
        phone,
      });
      return { ...created, userid, email, phone };
    };
    before(async () => {
      slices = await openSlices(kind);
    });
    after(() => slices.close());

    test('a login with userid, e-mail address or phone number gives a live session and a certificate', async () => {
      const { userid, email, phone, mid } = await account();
      const client = clientOf(slices);
      for (const identifier of [userid, userid.toUpperCase(), email, phone]) {
        const result = await client.login(identifier, 'correct horse');
        assert.equal(result.type, 1);
        assert.equal(result.mid, mid);
        assert.match(result.certificate ?? '', /^[0-9a-f]{64}$/);
        const live = await slices.sessions.load(result.tokenV3IssueResult?.accessToken ?? '');
        assert.equal(live.caller.mid, mid);
      }
    });

    test('a login sets the cookie lct, a logout clears it and ends the session', async () => {
      const { userid } = await account();
      const client = clientOf(slices, 'never', true);
      const { tokenV3IssueResult: tokens } = await client.login(userid, 'correct horse');
      assert.equal(
        client.cookies.at(-1),
        `lct=${tokens?.accessToken}; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure`,
      );
      const { caller } = await slices.sessions.load(tokens?.accessToken ?? '');
      const call = { ...client.call('::1'), caller };
      assert.equal(await client.handlers['AuthService.logoutV2']!(call), null);
      assert.match(client.cookies.at(-1) ?? '', /^lct=; Path=\/; Max-Age=0;/);
      await assert.rejects(slices.sessions.load(tokens?.accessToken ?? ''), is('SESSION_LOGGED_OUT'));
    });

    test('every kind of bad credential gets the same error', async () => {
      const { userid } = await account();
      const client = clientOf(slices);
      const good = async () => {
        const key = await client.takeKey();
        return { key, password: credential(key, userid, 'correct horse') };
      };
      const { key, password } = await good();
      const bad: Record<string, LoginRequest> = {
        'no fields': { type: 0 },
        'unknown key': { type: 0, identifier: '12345', password },
        'not hex': { type: 0, identifier: key.keynm, password: 'zz' },
        'used key': { type: 0, identifier: key.keynm, password },
      };
      const attempt = async (name: string, change: (key: RSAKeyInfo) => string) => {
        const fresh = await client.takeKey();
        bad[name] = { type: 0, identifier: fresh.keynm, password: change(fresh) };
      };
      await attempt('wrong password', (k) => credential(k, userid, 'wrong horse'));
      await attempt('unknown user', (k) => credential(k, 'nobody', 'correct horse'));
      await attempt('other session key', (k) => credential({ ...k, sessionKey: 'other' }, userid, 'correct horse'));
      await attempt('no structure', (k) => encrypt(k, Buffer.from('\xff hello')));
      await attempt('bad padding', () => '1'.repeat(512));
      await attempt('above the modulus', () => 'f'.repeat(512));
      await attempt('other key', () => password);
      await attempt('nul in the name', (k) => credential(k, 'per\0son', 'correct horse'));
      await attempt('empty', (k) => encrypt(k, Buffer.alloc(0)));
      for (const [name, request] of Object.entries(bad)) {
        await assert.rejects(
          client.send(request, name),
          ({ code, reason, parameterMap }: ApiError) =>
            code === 'INVALID_IDENTITY_CREDENTIAL' &&
            reason === 'Account ID or password is invalid' &&
            parameterMap === null,
          name,
        );
      }
    });

    test('a key is handed out with hex modulus and exponent, and expires after ten minutes', async () => {
      const { userid } = await account();
      const client = clientOf(slices);
      const key = await client.takeKey();
      assert.match(key.keynm, /^\d+$/);
      assert.match(key.nvalue, /^[0-9a-f]{512}$/);
      assert.equal(key.evalue, '10001');
      const later = await client.takeKey();
      const use = (taken: RSAKeyInfo) =>
        client.send({ type: 0, identifier: taken.keynm, password: credential(taken, userid, 'correct horse') });
      slices.clock.move(10 * MINUTE - 1);
      assert.equal((await use(key)).type, 1);
      slices.clock.move(1);
      await assert.rejects(use(later), is('INVALID_IDENTITY_CREDENTIAL'));
    });

    test('a key that one server hands out opens a credential at any other, and once over all of them', async () => {
      const { userid, mid } = await account();
      const [first, second, third] = [clientOf(slices), clientOf(slices), clientOf(slices)];
      const key = await first.takeKey();
      const request = { type: 0 as const, identifier: key.keynm, password: credential(key, userid, 'correct horse') };
      assert.equal((await second.send(request)).mid, mid);
      for (const server of [first, second, third]) {
        await assert.rejects(server.send(request), is('INVALID_IDENTITY_CREDENTIAL'));
      }

      const raced = await first.takeKey();
      const race = { ...request, identifier: raced.keynm, password: credential(raced, userid, 'correct horse') };
      const logins = await Promise.allSettled(
        [first, second, third, first, second, third].map((one) => one.send(race)),
      );
      assert.equal(logins.filter(({ status }) => status === 'fulfilled').length, 1);
    });

    test('the database alone opens no credential, and forgets keys that were used or not used in time', async () => {
      const { userid } = await account();
      const login = loginOf(slices);
      const client = clientOf(slices);
      const rows = () => slices.store.read((reader) => reader.all(allLoginKeys));
      await login.sweep();
      const before = await rows();
      const key = await client.takeKey();
      const [row, ...more] = (await rows()).filter(({ name }) => before.every((other) => other.name !== name));
      assert.deepEqual(more, []);
      const secrets = [key.keynm, key.sessionKey].map((text) => Buffer.from(text));
      for (const secret of [...secrets, Buffer.from(key.nvalue, 'hex')]) {
        for (const kept of [row?.name ?? '', row?.sealed ?? '']) {
          assert.ok(!Buffer.from(kept).includes(secret) && !Buffer.from(kept, 'base64').includes(secret));
        }
      }
      await client.send({ type: 0, identifier: key.keynm, password: credential(key, userid, 'correct horse') });
      assert.equal((await rows()).find(({ name }) => name === row?.name)?.sealed, '', 'a used key is gone at once');
      await client.takeKey();
      slices.clock.move(10 * MINUTE - 1);
      await login.sweep();
      assert.equal((await rows()).length, 1);
      slices.clock.move(1);
      await login.sweep();
      assert.deepEqual(await rows(), []);
    });

    test('ten failures of an account close it to strangers for a minute, then for longer, under all its names', async () => {
      const { userid, email } = await account();
      const client = clientOf(slices);
      await Promise.all(Array.from({ length: 12 }, () => client.login(userid, 'correct horse')));
      for (let n = 0; n < 10; n++) {
        await assert.rejects(
          client.login(n % 2 ? userid : email, 'wrong', {}, `10.1.0.${n}`),
          is('INVALID_IDENTITY_CREDENTIAL'),
        );
      }
      const refused = (waitMs: number) => (error: RateExceeded) => {
        assert.deepEqual(
          [error.code, error.reason, error.retryAfterMs],
          ['EXCESSIVE_ACCESS', 'Too many login attempts', waitMs],
        );
        return true;
      };
      await assert.rejects(client.login(email, 'correct horse'), refused(MINUTE));
      for (const minutes of [1, 2, 4, 8, 16, 20, 20]) {
        await assert.rejects(client.login(userid, 'wrong'), refused(minutes * MINUTE));
        slices.clock.move(minutes * MINUTE);
        await assert.rejects(client.login(email, 'wrong', {}, `10.2.0.${minutes}`), is('INVALID_IDENTITY_CREDENTIAL'));
      }
      slices.clock.move(20 * MINUTE);
      await client.login(userid, 'correct horse');
      await client.login(userid, 'correct horse');
    });

    test('five failures of an account from one address close it to that address and to no other', async () => {
      const { userid } = await account();
      const client = clientOf(slices);
      const at = (address: string, password: string) => client.login(userid, password, {}, address);
      for (let n = 1; n <= 5; n++) {
        await assert.rejects(at(`2001:db8:0:1::${n}`, 'wrong'), is('INVALID_IDENTITY_CREDENTIAL'));
      }
      await assert.rejects(at('2001:db8:0:1:ffff::1', 'correct horse'), is('EXCESSIVE_ACCESS'), 'the same network');
      await at('2001:db8:0:2::1', 'correct horse');
    });

    test('a hundred failures from one address close it to all accounts for some seconds', async () => {
      const { userid } = await account();
      const client = clientOf(slices);
      const failures = createFailures(createAttemptStore(slices), failureLimits);
      const attempt = (n: number) => ({ who: `unknown ${n}`, device: undefined, address: '192.0.2.7' });
      for (let n = 0; n < 100; n++) await failures.count(attempt(n));
      const at = (address: string) => client.login(userid, 'correct horse', {}, address);
      await assert.rejects(at('::ffff:192.0.2.7'), is('EXCESSIVE_ACCESS'), 'the same in the form of IPv6');
      await at('192.0.2.8');
      slices.clock.move(6000);
      await at('192.0.2.7');
    });

    test('strangers who guess a password cannot keep out a device that the account knows', async () => {
      const { userid } = await account();
      const client = clientOf(slices);
      const { certificate = '' } = await client.login(userid, 'correct horse');
      for (let n = 0; n < 10; n++) {
        await assert.rejects(client.login(userid, 'wrong', {}, '10.3.0.1'), (error: ApiError) => {
          assert.equal(error.code, n < 5 ? 'INVALID_IDENTITY_CREDENTIAL' : 'EXCESSIVE_ACCESS');
          return true;
        });
      }
      await assert.rejects(client.login(userid, 'correct horse', {}, '10.3.0.1'), is('EXCESSIVE_ACCESS'));
      await client.login(userid, 'correct horse', { certificate }, '10.3.0.1');
      for (let n = 0; n < 5; n++) {
        await assert.rejects(
          client.login(userid, 'wrong', { certificate }, '10.3.0.1'),
          is('INVALID_IDENTITY_CREDENTIAL'),
        );
      }
      await assert.rejects(client.login(userid, 'correct horse', { certificate }, '10.3.0.1'), is('EXCESSIVE_ACCESS'));
    });

    test('credentials that do not open meet the same limits as names that nobody has', async () => {
      const client = clientOf(slices);
      for (let n = 0; n < 12; n++) {
        const { keynm } = await client.takeKey();
        const request = { type: 0 as const, identifier: keynm, password: '1'.repeat(512) };
        await assert.rejects(client.send(request, '10.9.0.1'), is('INVALID_IDENTITY_CREDENTIAL'));
      }
    });

    test('failures at unknown names are limited in the same way', async () => {
      const client = clientOf(slices);
      const at = (n: number) => client.login('no.such', 'wrong', {}, `10.4.0.${n}`);
      for (let n = 0; n < 10; n++) await assert.rejects(at(n), is('INVALID_IDENTITY_CREDENTIAL'));
      await assert.rejects(at(10), is('EXCESSIVE_ACCESS'));
    });

    test('servers on one database count together, at the same moment too, and a restart forgets nothing', async () => {
      const servers = [1, 2, 3].map(() => createFailures(createAttemptStore(slices), failureLimits));
      const attempt = (n: number) => ({ who: 'account 7', device: undefined, address: `10.5.0.${n}` });
      const counted = await Promise.allSettled(
        Array.from({ length: 60 }, (_, n) => (servers[n % 3] as Failures).count(attempt(n))),
      );
      assert.equal(counted.filter(({ status }) => status === 'fulfilled').length, 10);
      const restarted = createFailures(createAttemptStore(slices), failureLimits);
      await assert.rejects(restarted.check(attempt(61)), is('EXCESSIVE_ACCESS'));
    });

    test('however many try, an account is guessed at fewer than a hundred times in any 24 hours', async () => {
      const failures = createFailures(createAttemptStore(slices), failureLimits);
      const times: number[] = [];
      const HOURS = 24 * 60 * MINUTE;
      for (let minute = 0; minute < 3 * 24 * 60; minute++) {
        slices.clock.move(MINUTE);
        const attempt = { who: 'account 8', device: undefined, address: `10.6.${minute >> 8}.${minute & 255}` };
        const refused = await failures.check(attempt).then(
          () => undefined,
          (error: ApiError) => error.code,
        );
        if (refused === undefined) {
          await failures.count(attempt);
          times.push(slices.clock.now());
        } else assert.equal(refused, 'EXCESSIVE_ACCESS');
      }
      const most = Math.max(
        ...times.map((start) => times.filter((time) => time >= start && time < start + HOURS).length),
      );
      assert.ok(most <= 100, `${most} in 24 hours`);
      assert.ok(times.length >= 3 * 60, 'and whoever waits gets a turn');
    });

    test('when the limits cannot be checked, nobody can log in', async () => {
      const { userid } = await account();
      const broken: Store = {
        ...slices.store,
        transact: () => Promise.reject(new StoreUnavailable('gone')),
      };
      const client = clientOf({ ...slices, store: broken });
      await assert.rejects(client.login(userid, 'correct horse'), StoreUnavailable);
    });

    test('stored attempts name nobody, and are removed when they expire', async () => {
      const attempts = createAttemptStore(slices);
      await createFailures(attempts, failureLimits).count({
        who: 'unknown secret',
        device: undefined,
        address: '10.7.0.1',
      });
      const rows = () => slices.store.read((reader) => reader.all(allAttempts));
      for (const { key } of await rows()) assert.match(key, /^[\w-]{43}$/);
      slices.clock.move(25 * 60 * MINUTE);
      await attempts.sweep();
      assert.deepEqual(await rows(), []);
    });

    test('an attempt counts to the end of its window, and is forgotten then', async () => {
      const attempts = createAttemptStore(slices);
      // Moves the clock so far that the counts of failed logins from other tests have expired.
      slices.clock.move(25 * 60 * MINUTE);
      const limiter = attempts.limiter('some limit', 3, 60);
      const kept = async () => {
        await attempts.sweep();
        const rows = await slices.store.read((reader) => reader.all(allAttempts));
        return [(await limiter.get('somebody'))?.consumedPoints, rows.length];
      };
      await limiter.consume('somebody');
      slices.clock.move(MINUTE - 1);
      await limiter.consume('somebody');
      assert.deepEqual(await kept(), [2, 1]);
      slices.clock.move(1);
      assert.deepEqual(await kept(), [undefined, 0]);
      await limiter.consume('somebody');
      slices.clock.move(MINUTE);
      assert.equal((await limiter.get('somebody'))?.consumedPoints, undefined);
      assert.equal((await limiter.consume('somebody')).consumedPoints, 1, 'what was not swept is over all the same');
    });

    test('every wrong password is told to the sessions of the account, with the address it came from', async () => {
      const { userid, id } = await account();
      const client = clientOf(slices);
      await assert.rejects(client.login(userid, 'wrong'), is('INVALID_IDENTITY_CREDENTIAL'));
      const news = async () => {
        const rows = await slices.store.read((reader) => reader.all(newsOf, id));
        return rows.filter(({ param1 }) => param1 === 'failed');
      };
      await client.login(userid, 'correct horse');
      assert.deepEqual(await news(), [], 'there was no session to tell');
      for (const address of ['10.8.0.1', '10.8.0.2']) {
        await assert.rejects(
          client.login(userid, 'wrong', { systemName: 'Guesser' }, address),
          is('INVALID_IDENTITY_CREDENTIAL'),
        );
      }
      for (let n = 0; n < 12; n++) await client.login(userid, 'wrong', {}, '10.8.0.3').catch(() => {});
      // No answer tells when this operation comes, so the test polls for it.
      while ((await news()).length < 7) await new Promise(setImmediate);
      const told = (await news()).map(({ param2, param3 }) => {
        const { systemName, remoteAddress, state } = JSON.parse(param3) as PendingLogin;
        return [param2, systemName, remoteAddress, state];
      });
      assert.deepEqual(told.slice(0, 2), [
        ['2', 'Guesser', '10.8.0.1', 'denied'],
        ['3', 'Guesser', '10.8.0.2', 'denied'],
      ]);
      assert.equal(told.length, 7, 'a refused attempt is no guess');
    });

    test('a disabled account is told so only with the right password, and its sessions end', async () => {
      const { userid, id } = await account();
      const client = clientOf(slices);
      const { tokenV3IssueResult: tokens } = await client.login(userid, 'correct horse');
      await slices.accounts.disable(id);
      await assert.rejects(slices.sessions.load(tokens?.accessToken ?? ''), is('SESSION_LOGGED_OUT'));
      await assert.rejects(
        refreshRoute(slices.sessions, { refreshToken: tokens?.refreshToken }),
        is('AUTH_INVALID_REQUEST'),
      );
      await assert.rejects(client.login(userid, 'correct horse'), {
        code: 'ABUSE_BLOCK',
        reason: 'blocked user: the operator of this server disabled the account',
      });
      await assert.rejects(client.login(userid, 'wrong horse'), is('INVALID_IDENTITY_CREDENTIAL'));
      await slices.accounts.enable(id);
      await client.login(userid, 'correct horse');
    });

    test('with confirmation of new devices the first session and known devices log in, others must be confirmed', async () => {
      const { userid, id } = await account();
      const client = clientOf(slices, 'new-device');
      const first = await client.login(userid, 'correct horse', { systemName: 'Chrome' });
      const { certificate = '' } = first;
      const chrome = clientOf(slices, 'new-device', false, true);
      for (const [asking, more] of [
        [client, {}],
        [client, { certificate: 'f'.repeat(64) }],
        [chrome, { certificate, systemName: 'Chrome' }],
      ] as const) {
        const asked = await asking.login(userid, 'correct horse', more);
        assert.equal(asked.type, 3);
        assert.match(asked.pinCode ?? '', /^\d{6}$/);
        assert.equal(asked.tokenV3IssueResult, undefined);
      }
      const again = await client.login(userid, 'correct horse', { certificate, systemName: 'Other' });
      assert.equal(again.certificate, certificate, 'whatever the device calls itself');
      await slices.sessions.revokeAll(id, 'test');
      await client.login(userid, 'correct horse');
    });

    test('a certificate of one account is worth nothing for another, and a new password ends all of them', async () => {
      const mine = await account();
      const other = await account();
      const client = clientOf(slices, 'new-device');
      const { certificate = '' } = await client.login(mine.userid, 'correct horse');
      await client.login(other.userid, 'correct horse');
      assert.equal((await client.login(other.userid, 'correct horse', { certificate })).type, 3);
      await slices.accounts.resetPassword(mine.id, 'battery staple');
      await assert.rejects(client.login(mine.userid, 'correct horse'), is('INVALID_IDENTITY_CREDENTIAL'));
      await client.login(mine.userid, 'battery staple');
      assert.equal((await client.login(mine.userid, 'battery staple', { certificate })).type, 3);
    });

    test('a sealed login that is not possible is refused so that the client repeats it unsealed', async () => {
      const { userid, mid } = await account();
      const client = clientOf(slices, 'new-device');
      const secret = Buffer.alloc(32, 1).toString('base64');
      const sealed = (more: Partial<LoginRequest> = {}) =>
        client.login(userid, 'correct horse', { type: 2, e2eeVersion: 1, secret, ...more });
      const refused = (code: ErrorName) => (error: ApiError) => {
        assert.equal(error.code, code);
        assert.match(error.reason, /not supported/);
        return true;
      };
      await assert.rejects(sealed(), refused('E2EE_SENDER_NOT_ALLOWED'));
      await assert.rejects(client.login(userid, 'wrong horse', { type: 2 }), is('INVALID_IDENTITY_CREDENTIAL'));
      sealing.add(mid);
      await assert.rejects(sealed({ e2eeVersion: 2 }), refused('E2EE_UPDATE_PRIMARY_DEVICE'));
      await assert.rejects(sealed(), refused('E2EE_PRIMARY_NOT_SUPPORT'));
      const { type, certificate = '' } = await client.login(userid, 'correct horse');
      assert.equal(type, 1, 'unsealed it works');
      assert.equal((await sealed()).type, 3, 'now there is a device that can hand over the keys');
      await slices.sessions.revokeAll((await slices.accounts.show(mid))?.id ?? 0, 'test');
      await assert.rejects(sealed(), refused('E2EE_PRIMARY_NOT_SUPPORT'));
      assert.equal((await sealed({ certificate })).type, 1, 'a known device needs nobody');
    });

    test('tokenRefresh answers the tokens under data and at the top, and names what is wrong with a body', async () => {
      const { tokens } = await slices.openSession(`person${users++}`);
      const { code, message, data, ...top } = await refreshRoute(slices.sessions, {
        refreshToken: tokens.refreshToken,
        retryCount: 0,
      });
      assert.deepEqual([code, message], [0, 'OK']);
      assert.deepEqual(top, data);
      for (const body of [undefined, null, [], 'x', {}]) {
        await assert.rejects(refreshRoute(slices.sessions, body), is('REQUEST_SCHEMA'));
      }
      await assert.rejects(refreshRoute(slices.sessions, { refreshToken: 1 }), is('REQUEST_ARGUMENT_TYPE'));
      for (const refreshToken of ['', 'x'.repeat(10_000)]) {
        await assert.rejects(refreshRoute(slices.sessions, { refreshToken }), is('AUTH_INVALID_REQUEST'));
      }
    });

    test('the encrypted identity is the same at every login and differs between accounts', async () => {
      const [one, two] = [await slices.openSession(`person${users++}`), await slices.openSession(`person${users++}`)];
      const identityOf = async (token: string) => {
        const client = clientOf(slices);
        const { caller } = await slices.sessions.load(token);
        return client.handlers['TalkService.getEncryptedIdentityV3']!({ ...client.call('::1'), caller });
      };
      assert.deepEqual(await identityOf(one.tokens.accessToken), await identityOf(one.tokens.accessToken));
      assert.notDeepEqual(await identityOf(one.tokens.accessToken), await identityOf(two.tokens.accessToken));
    });

    test('the object-storage token comes as seconds, record separator and token', async () => {
      const { tokens, account: owner } = await slices.openSession(`person${users++}`);
      const client = clientOf(slices);
      const { caller } = await slices.sessions.load(tokens.accessToken);
      const text = await client.handlers['TalkService.acquireEncryptedAccessToken']!(
        { ...client.call('::1'), caller },
        2,
      );
      const [seconds, token, ...rest] = String(text).split('\x1e');
      assert.equal(seconds, '3600');
      assert.deepEqual(rest, []);
      assert.equal((await slices.sessions.readObjectToken(token ?? ''))?.mid, owner.mid);
    });
  });
}
