import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  dataOf,
  type NewDevice,
  newDevice,
  outcomeOf,
  refusalOf,
  runningClock,
  sampleHandover,
  wrongPinFor,
} from '@sealpost/conformance/testing';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { repeats } from '@sealpost/dev-env/repeats';
import { until } from '@sealpost/dev-env/until';
import { watchedTimers } from '@sealpost/dev-env/watched-timers';
import { deviceNewsOf } from '@sealpost/sdk';
import { sql } from '../../../src/platform/store/sql.ts';

/** Window of a poll in milliseconds; no other timer of the server has this time. */
const WINDOW_MS = 61_234;
/** Milliseconds between a poll's checks for changes by other servers. */
const LOOK_MS = 1_000;

const SESSION_LIFE = 180_000;
/** A time in milliseconds that is longer than all calls of a test take. */
const SPARE = 60_000;
/** `GUESSES`: the number of guessed PINs at one login. `AT_ONCE`: the number of guesses that run at the same time. */
const GUESSES = repeats(1_000);
const AT_ONCE = 50;
const storedLogins = sql<{ id: string; handover: string | null; pin_mac: string | null }>(
  'select id, handover, pin_mac from pending_login where id = ?',
);

for (const database of databases) {
  describe(`QR login on ${database}`, () => {
    const clock = runningClock();
    const watched = watchedTimers();
    const waiting = (polls: number) =>
      until(() => watched.count(WINDOW_MS) === polls, `${polls} polls wait for ${WINDOW_MS} ms`);
    let server: TestServer;
    let device: NewDevice;
    let owner: TestUser;
    before(async () => {
      server = await startServer({
        database,
        servers: 1,
        flags: { 'login-confirmation': 'new-device' },
        ports: { clock, timers: watched.timers },
      });
      device = newDevice(server);
      owner = await server.user('owner');
    });
    after(async () => {
      device.close();
      await server.close();
    });

    const primary = () => owner.client.PrimaryDeviceService;
    const newsAfter = async (user: TestUser, revision: number) =>
      (await user.log(revision)).map((operation) => deviceNewsOf(operation)?.kind);
    const headOf = async (user: TestUser) => Number(await user.client.TalkService.getLastOpRevision());
    const stored = (id: string) => server.server.store.read((reader) => reader.one(storedLogins, id));

    test('without a certificate the new device shows a PIN, and gets tokens, a certificate and the key chain', async () => {
      const start = await headOf(owner);
      const id = await device.createSession();
      assert.match(id, /^SQ[0-9a-f]{96}$/);
      const code = (await device.createQrCode(id)).data;
      assert.deepEqual(code, {
        callbackUrl: `${server.url}/R/au/lgn/sq/${device.loginIdOf(id)}`,
        longPollingIntervalSec: 90,
        longPollingMaxCount: 2,
      });
      const waiting = device.checkQr(id, 30_000);
      const seen = await primary().scanQrCode({ loginId: device.loginIdOf(id) });
      assert.deepEqual(
        [seen.loginId, seen.kind, seen.loginType, seen.state, seen.remoteAddress],
        [device.loginIdOf(id), 'QR', 1, 'scanned', '127.0.0.1'],
      );
      assert.deepEqual(await primary().getPendingLogins(), [seen]);
      const e2ee = sampleHandover();
      await primary().approveLogin({ loginId: device.loginIdOf(id), e2ee });
      assert.deepEqual((await waiting).body, { code: 0, message: 'OK', data: {} });
      assert.equal(outcomeOf(await device.verifyCertificate(id)), 'QR_VERIFICATION_FAILED');
      const { pinCode } = (await device.createPin(id)).data;
      assert.match(pinCode, /^\d{6}$/);
      assert.doesNotMatch(JSON.stringify(await stored(device.loginIdOf(id))), new RegExp(pinCode));
      const typed = device.checkPin(id, 30_000);
      await primary().submitPinCode({ loginId: device.loginIdOf(id), pinCode });
      assert.equal(outcomeOf(await typed), 'OK');
      assert.equal((await primary().getPendingLogins())[0]?.state, 'verified');

      const answer = await device.qrLogin(id);
      const { certificate, metaData, tokenV3IssueResult, mid } = answer.data;
      assert.equal(mid, owner.mid);
      assert.match(certificate, /^[0-9a-f]{64}$/);
      assert.match(String(answer.headers['set-cookie']), /^lct=/);
      const { publicKey, encryptedKeyChain } = e2ee;
      assert.deepEqual(metaData, { errorCode: 'SUCCESS', e2eeVersion: '1', keyId: 1234, publicKey, encryptedKeyChain });
      const me = await device.raw.call('TalkService.getProfile', [], tokenV3IssueResult.accessToken);
      assert.equal(dataOf(me).mid, owner.mid);
      assert.equal(await stored(device.loginIdOf(id)), undefined, 'the key chain is forgotten');
      assert.deepEqual(await newsAfter(owner, start), ['pending', 'approved', 'approved']);
    });

    test('a certificate of an earlier login makes the PIN needless, under any name, for the kind of client that got it', async () => {
      const first = await device.showPin(owner.client);
      await primary().submitPinCode({ loginId: first.loginId, pinCode: first.pinCode });
      await device.checkPin(first.id);
      const { certificate } = (await device.qrLogin(first.id)).data;

      const confirmed = async () => {
        const id = await device.showCode();
        await primary().scanQrCode({ loginId: device.loginIdOf(id) });
        await primary().approveLogin({ loginId: device.loginIdOf(id) });
        await device.checkQr(id);
        return id;
      };
      const again = async () => {
        const id = await confirmed();
        assert.equal(outcomeOf(await device.verifyCertificate(id, certificate)), 'OK');
        return id;
      };
      const id = await again();
      assert.equal((await primary().getPendingLogins())[0]?.state, 'verified');
      const answer = await device.qrLogin(id);
      assert.equal(outcomeOf(answer), 'OK');
      assert.deepEqual(answer.data.metaData, {});

      assert.equal(outcomeOf(await device.qrLogin(await again(), 'Phone')), 'OK');

      const chrome = { 'X-Svc-Client-Version': undefined, 'X-Svc-Chrome-Version': '3.7.2' };
      const other = await confirmed();
      assert.equal(outcomeOf(await device.verifyCertificate(other, certificate, chrome)), 'QR_VERIFICATION_FAILED');
      const { pinCode } = (await device.createPin(other)).data;
      await primary().submitPinCode({ loginId: device.loginIdOf(other), pinCode });
      await device.checkPin(other);
      assert.equal(outcomeOf(await device.qrLogin(other, 'Phone', chrome)), 'OK');
    });

    test('a certificate of another account is not valid', async () => {
      const other = await server.user('other');
      const theirs = await device.showPin(other.client);
      await other.client.PrimaryDeviceService.submitPinCode({ loginId: theirs.loginId, pinCode: theirs.pinCode });
      await device.checkPin(theirs.id);
      const { certificate } = (await device.qrLogin(theirs.id)).data;
      const id = await device.showCode();
      await primary().scanQrCode({ loginId: device.loginIdOf(id) });
      await primary().approveLogin({ loginId: device.loginIdOf(id) });
      await device.checkQr(id);
      assert.equal(outcomeOf(await device.verifyCertificate(id, certificate)), 'QR_VERIFICATION_FAILED');
    });

    test('the key chain may come with the PIN, after the account key was told to the new device', async () => {
      const user = await server.user('late');
      const keyData = Buffer.alloc(32, 7).toString('base64');
      const { keyId } = await user.client.TalkService.registerE2EEPublicKey(0, { keyData });
      const id = await device.showCode();
      const loginId = device.loginIdOf(id);
      await user.client.PrimaryDeviceService.scanQrCode({ loginId });
      await user.client.PrimaryDeviceService.approveLogin({ loginId });
      await device.checkQr(id);
      await device.verifyCertificate(id);
      const { pinCode, accountKey } = (await device.createPin(id)).data;
      assert.deepEqual(accountKey, { keyId, publicKey: keyData });
      const e2ee = sampleHandover();
      const wrong = { loginId, pinCode: wrongPinFor(pinCode), e2ee };
      assert.equal(await refusalOf(user.client.PrimaryDeviceService.submitPinCode(wrong)), 'INVALID_PIN_CODE');
      assert.equal((await stored(loginId))?.handover, null);
      const bad = { loginId, pinCode, e2ee: { ...e2ee, publicKey: 'AAAA' } };
      assert.equal(await refusalOf(user.client.PrimaryDeviceService.submitPinCode(bad)), 'ILLEGAL_ARGUMENT');
      await user.client.PrimaryDeviceService.submitPinCode({ loginId, pinCode, e2ee });
      await device.checkPin(id);
      const { metaData } = (await device.qrLogin(id)).data;
      assert.equal(metaData.encryptedKeyChain, e2ee.encryptedKeyChain);
    });

    test('a key chain without the proof that opens it is not taken', async () => {
      const loginId = device.loginIdOf(await device.showCode());
      await primary().scanQrCode({ loginId });
      const { hashKeyChain: _, ...e2ee } = sampleHandover();
      const approval = primary().approveLogin({ loginId, e2ee: e2ee as ReturnType<typeof sampleHandover> });
      assert.equal(await refusalOf(approval), 'REQUEST_SCHEMA');
      assert.equal((await primary().getPendingLogins()).find((login) => login.loginId === loginId)?.state, 'scanned');
      await primary().denyLogin({ loginId });
    });

    test('existing clients get every member of the key chain as text', async () => {
      const id = await device.showCode();
      await primary().scanQrCode({ loginId: device.loginIdOf(id) });
      await primary().approveLogin({ loginId: device.loginIdOf(id), e2ee: sampleHandover() });
      await device.checkQr(id);
      await device.verifyCertificate(id);
      const { pinCode } = (await device.createPin(id)).data;
      await primary().submitPinCode({ loginId: device.loginIdOf(id), pinCode });
      await device.checkPin(id);
      const chrome = { 'X-Svc-Client-Version': undefined, 'X-Svc-Chrome-Version': '3.7.2' };
      const answer = await device.qrLogin(id, 'Chrome', chrome);
      assert.equal(answer.data.metaData.keyId, '1234');
    });

    test('a poll answers 410 when its window is over; polls can be repeated and doubled', async () => {
      const id = await device.showCode();
      const timed = await device.checkQr(id, 1000);
      assert.equal(timed.status, 410);
      assert.equal(timed.data.statusCode, 410);
      watched.hold(LOOK_MS);
      const polls = [device.checkQr(id, WINDOW_MS), device.checkQr(id, WINDOW_MS)];
      await waiting(2);
      const third = device.checkQr(id, WINDOW_MS);
      assert.equal((await Promise.race(polls)).status, 410, 'the oldest of three ends');
      await primary().scanQrCode({ loginId: device.loginIdOf(id) });
      await primary().approveLogin({ loginId: device.loginIdOf(id) });
      // The poll's regular checks are held back, so the change itself must have woken the poll.
      assert.equal(outcomeOf(await third), 'OK');
      watched.release(LOOK_MS);
      assert.equal(outcomeOf(await device.checkQr(id)), 'OK');
      assert.equal(outcomeOf(await device.checkQr(id)), 'OK');
    });

    test('a poll whose client went away takes nothing with it', async () => {
      const id = await device.showCode();
      const leaving = newDevice(server);
      const lost = leaving.checkQr(id, WINDOW_MS).catch(() => 'lost');
      await waiting(1);
      leaving.close();
      assert.equal(await lost, 'lost');
      await primary().scanQrCode({ loginId: device.loginIdOf(id) });
      await primary().approveLogin({ loginId: device.loginIdOf(id) });
      assert.equal(outcomeOf(await device.checkQr(id)), 'OK');
    });

    test('a refused login ends its polls with 410 and goes no further', async () => {
      const id = await device.showCode();
      const waiting = device.checkQr(id, 60_000);
      await primary().scanQrCode({ loginId: device.loginIdOf(id) });
      const start = await headOf(owner);
      await primary().denyLogin({ loginId: device.loginIdOf(id) });
      assert.equal((await waiting).status, 410);
      assert.equal((await device.checkQr(id)).status, 410);
      assert.equal(outcomeOf(await device.qrLogin(id)), 'QR_INVALID_CONTEXT');
      assert.equal(await refusalOf(primary().approveLogin({ loginId: device.loginIdOf(id) })), 'INVALID_STATE');
      assert.deepEqual(await newsAfter(owner, start), ['denied']);
      assert.ok(!(await primary().getPendingLogins()).some((login) => login.loginId === device.loginIdOf(id)));
    });

    test('a login lives as long as the polls that its device is told to make, for the code and again for the PIN', async () => {
      const id = await device.createSession();
      clock.move(SESSION_LIFE - SPARE);
      const { longPollingIntervalSec, longPollingMaxCount } = (await device.createQrCode(id)).data as unknown as {
        longPollingIntervalSec: number;
        longPollingMaxCount: number;
      };
      const polls = longPollingIntervalSec * longPollingMaxCount * 1000;
      clock.move(polls - SPARE);
      await device.createQrCode(id);
      const loginId = device.loginIdOf(id);
      await primary().scanQrCode({ loginId });
      await primary().approveLogin({ loginId });
      assert.equal(outcomeOf(await device.checkQr(id)), 'OK');
      assert.equal(outcomeOf(await device.verifyCertificate(id)), 'QR_VERIFICATION_FAILED');
      await device.createPin(id);
      clock.move(polls - SPARE);
      const { pinCode } = (await device.createPin(id)).data;
      await primary().submitPinCode({ loginId, pinCode });
      assert.equal(outcomeOf(await device.checkPin(id)), 'OK');
      assert.equal(outcomeOf(await device.qrLogin(id)), 'OK');
    });

    test('another PIN does not extend the time', async () => {
      const { id, loginId } = await device.showPin(owner.client);
      clock.move(SESSION_LIFE - SPARE);
      const { pinCode } = (await device.createPin(id)).data;
      clock.move(SPARE);
      assert.equal(await refusalOf(primary().submitPinCode({ loginId, pinCode })), 'NOT_FOUND');
    });

    test('after three minutes a code can neither be scanned nor go on', async () => {
      const unscanned = await device.showCode();
      const { id, pinCode } = await device.showPin(owner.client);
      clock.move(SESSION_LIFE);
      assert.equal(await refusalOf(primary().scanQrCode({ loginId: device.loginIdOf(unscanned) })), 'NOT_FOUND');
      assert.equal(outcomeOf(await device.checkQr(unscanned)), 'QR_INVALID_CONTEXT');
      assert.equal(await refusalOf(primary().submitPinCode({ loginId: device.loginIdOf(id), pinCode })), 'NOT_FOUND');
      assert.equal(outcomeOf(await device.qrLogin(id)), 'QR_INVALID_CONTEXT');
      await server.server.slices.login.sweep();
      assert.equal(await stored(device.loginIdOf(id)), undefined);
    });

    test('the code alone is not enough: no step of the new device can be made with what it says', async () => {
      const { id, loginId, pinCode } = await device.showPin(owner.client);
      assert.notEqual(loginId, id);
      assert.match(loginId, /^SQ[0-9a-f]{32}$/);
      const thief = newDevice(server);
      const forged = [loginId, id.replace(/.$/, (last) => (last === '0' ? '1' : '0')), `${loginId}${'0'.repeat(64)}`];
      const refused = async (known: string) => {
        for (const answer of [
          await thief.createQrCode(known),
          await thief.checkQr(known),
          await thief.verifyCertificate(known),
          await thief.createPin(known),
          await thief.checkPin(known),
          await thief.qrLogin(known),
        ]) {
          assert.equal(outcomeOf(answer), 'QR_INVALID_CONTEXT', known);
        }
      };
      for (const known of forged) await refused(known);
      await primary().submitPinCode({ loginId, pinCode });
      await device.checkPin(id);
      for (const known of forged) await refused(known);
      thief.close();
      const page = await fetch(`${server.url}/R/au/lgn/sq/${loginId}`);
      const news = (await owner.log()).map(({ param2, param3 }) => `${param2} ${param3}`);
      for (const seen of [JSON.stringify(await primary().getPendingLogins()), await page.text(), news.join()]) {
        assert.ok(seen.includes(loginId));
        assert.ok(!seen.includes(id), 'nobody but the new device is told its authSessionId');
      }
      assert.equal(outcomeOf(await device.qrLogin(id)), 'OK');
    });

    test('a login ends for good when somebody else took it', async () => {
      const { id, pinCode } = await device.showPin(owner.client);
      await primary().submitPinCode({ loginId: device.loginIdOf(id), pinCode });
      await device.checkPin(id);
      const outcomes = (await Promise.all([1, 2, 3, 4].map(() => device.qrLogin(id)))).map(outcomeOf);
      assert.equal(outcomes.filter((outcome) => outcome === 'OK').length, 1, outcomes.join());
      assert.equal(outcomes.filter((outcome) => outcome === 'QR_INVALID_CONTEXT').length, 3, outcomes.join());
    });

    test('of many scans at once, by sessions and accounts, only one binds the code', async () => {
      const others = await Promise.all([1, 2, 3].map(() => server.user('scanner')));
      const id = await device.showCode();
      const clients = [owner.client, await owner.session(), ...others.map((other) => other.client)];
      const outcomes = await Promise.all(
        clients.map((client) => refusalOf(client.PrimaryDeviceService.scanQrCode({ loginId: device.loginIdOf(id) }))),
      );
      assert.equal(outcomes.filter((outcome) => outcome === 'OK').length, 1, outcomes.join());
      assert.equal(outcomes.filter((outcome) => outcome === 'INVALID_STATE').length, 4, outcomes.join());
      const winner = clients[outcomes.indexOf('OK')];
      const again = await winner?.PrimaryDeviceService.scanQrCode({ loginId: device.loginIdOf(id) });
      assert.equal(again?.state, 'scanned', 'a repeat of the same session is no second scan');
    });

    test('of approvals and refusals at once, only one counts', async () => {
      for (let round = 0; round < 5; round++) {
        const id = await device.showCode();
        await primary().scanQrCode({ loginId: device.loginIdOf(id) });
        const second = await owner.session();
        const approvals = [owner.client, second].map((client) =>
          refusalOf(client.PrimaryDeviceService.approveLogin({ loginId: device.loginIdOf(id) })),
        );
        const denial = refusalOf(second.PrimaryDeviceService.denyLogin({ loginId: device.loginIdOf(id) }));
        const outcomes = await Promise.all(approvals);
        assert.ok(outcomes.filter((outcome) => outcome === 'OK').length <= 1, outcomes.join());
        assert.equal(await denial, 'OK', 'a refusal counts before and after an approval');
        assert.equal((await device.checkQr(id)).status, 410);
      }
    });

    test('of ten thousand PINs, many at once, five are compared, the login ends, and the other sessions are told', async () => {
      const { id, pinCode } = await device.showPin(owner.client);
      const waiting = device.checkPin(id, 60_000);
      const start = await headOf(owner);
      const guesses = Array.from({ length: GUESSES }, (_, n) => wrongPinFor(pinCode, n + 1));
      const outcomes: string[] = [];
      for (let at = 0; at < GUESSES; at += AT_ONCE) {
        const together = guesses.slice(at, at + AT_ONCE);
        outcomes.push(
          ...(await Promise.all(
            together.map((guess) =>
              refusalOf(primary().submitPinCode({ loginId: device.loginIdOf(id), pinCode: guess })),
            ),
          )),
        );
      }
      const count = (code: string) => outcomes.filter((outcome) => outcome === code).length;
      assert.deepEqual([count('INVALID_PIN_CODE'), count('INVALID_STATE')], [5, GUESSES - 5]);
      assert.equal((await waiting).status, 410);
      assert.equal(
        await refusalOf(primary().submitPinCode({ loginId: device.loginIdOf(id), pinCode })),
        'INVALID_STATE',
      );
      assert.equal(outcomeOf(await device.qrLogin(id)), 'QR_INVALID_CONTEXT');
      assert.deepEqual(await newsAfter(owner, start), ['denied']);
    });

    test('a new PIN replaces the old one and brings no new tries', async () => {
      const { id, pinCode } = await device.showPin(owner.client);
      const submit = (guess: string) =>
        refusalOf(primary().submitPinCode({ loginId: device.loginIdOf(id), pinCode: guess }));
      for (let n = 1; n <= 3; n++) assert.equal(await submit(wrongPinFor(pinCode, n)), 'INVALID_PIN_CODE');
      const second = (await device.createPin(id)).data.pinCode;
      if (second !== pinCode) assert.equal(await submit(pinCode), 'INVALID_PIN_CODE');
      assert.equal(await submit(second), 'OK');
      assert.equal(await submit(second), 'INVALID_STATE', 'a PIN is good once');
    });

    test('a login survives a restart at every step', async () => {
      const id = await device.createSession();
      const restarted = async () => {
        await server.restart();
        device.close();
        device = newDevice(server);
        return (await owner.session()).PrimaryDeviceService;
      };
      await restarted();
      assert.equal(outcomeOf(await device.createQrCode(id)), 'OK');
      const loginId = device.loginIdOf(id);
      await (await restarted()).scanQrCode({ loginId });
      await (await restarted()).approveLogin({ loginId });
      await restarted();
      assert.equal(outcomeOf(await device.checkQr(id)), 'OK');
      assert.equal(outcomeOf(await device.verifyCertificate(id)), 'QR_VERIFICATION_FAILED');
      const { pinCode } = (await device.createPin(id)).data;
      await (await restarted()).submitPinCode({ loginId, pinCode });
      await restarted();
      assert.equal(outcomeOf(await device.checkPin(id)), 'OK');
      assert.equal(outcomeOf(await device.qrLogin(id)), 'OK');
      owner = await server.user('owner');
    });

    test('a new password ends the logins that wait', async () => {
      const user = await server.user('changed');
      const { id, pinCode } = await device.showPin(user.client);
      await user.client.PrimaryDeviceService.submitPinCode({ loginId: device.loginIdOf(id), pinCode });
      await device.checkPin(id);
      const account = await server.server.slices.accounts.show(user.mid);
      await server.server.slices.accounts.resetPassword(account?.id ?? 0, 'an entirely new one');
      assert.equal(outcomeOf(await device.qrLogin(id)), 'QR_NOT_ALLOWED');
      assert.equal(await stored(device.loginIdOf(id)), undefined);
    });

    test('the address in the code shows what is being approved and how, and repeats no key', async () => {
      const id = await device.createSession();
      const path = (await device.createQrCode(id)).data.callbackUrl;
      const sampleKey = sampleHandover().publicKey;
      const shown = await fetch(`${path}?secret=${encodeURIComponent(sampleKey)}&e2eeVersion=1`);
      assert.equal(shown.status, 200);
      assert.match(shown.headers.get('content-security-policy') ?? '', /default-src 'none'/);
      const html = await shown.text();
      for (const part of ['A device asks to be let in', '127.0.0.1', 'UTC', 'both devices show five words']) {
        assert.ok(html.includes(part), part);
      }
      for (const part of ['secret=', 'devices approve', encodeURIComponent(sampleKey), sampleKey]) {
        assert.ok(!html.includes(part), `no command, and no key that a server could choose: ${part}`);
      }
      await primary().scanQrCode({ loginId: device.loginIdOf(id) });
      assert.match(await (await fetch(path)).text(), /waits for your confirmation/);
      await primary().denyLogin({ loginId: device.loginIdOf(id) });
      assert.match(await (await fetch(path)).text(), /was refused/);
      for (const bad of [id, device.loginIdOf(id).replace(/.$/, 'x'), 'SQ%00', `${'SQ'}${'0'.repeat(32)}`]) {
        const over = await fetch(`${server.url}/R/au/lgn/sq/${bad}`);
        assert.equal(over.status, 404);
        assert.match(await over.text(), /This login is over/);
      }
    });

    test('the page shows the name of a device as text', async () => {
      const answer = await device.raw.send('/api/talk/thrift/LoginQrCode/SecondaryQrCodeLoginService/createSession', {
        body: '[{}]',
        headers: { 'X-Svc-Application': '<script>alert(1)</script>\t3.7.2\tOS\t', 'User-Agent': 'Test/1 "quoted"' },
      });
      const id = dataOf(answer).authSessionId;
      const url = (await device.createQrCode(id)).data.callbackUrl;
      const html = await (await fetch(url)).text();
      assert.ok(!html.includes('<script>alert'));
      assert.ok(html.includes('&lt;script&gt;alert(1)&lt;/script&gt;, Test/1 &quot;quoted&quot;'));
    });

    test('an account can have ten devices waiting, and then must wait itself', async () => {
      const user = await server.user('busy');
      const outcomes: string[] = [];
      for (let n = 0; n < 11; n++) {
        const id = await device.showCode();
        outcomes.push(await refusalOf(user.client.PrimaryDeviceService.scanQrCode({ loginId: device.loginIdOf(id) })));
      }
      assert.deepEqual(outcomes, [...Array.from({ length: 10 }, () => 'OK'), 'EXCESSIVE_ACCESS']);
    });
  });
}
