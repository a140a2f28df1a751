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
import { deviceNewsOf } from '@sealpost/sdk';
import { sql } from '../src/store/sql.ts';
import { databases, startServer, type TestServer, type TestUser } from './harness.ts';

const SESSION_LIFE = 180_000;
/** At one login; several at a time. */
const GUESSES = 10_000;
const AT_ONCE = 50;
const storedLogins = sql<{ id: string; handover: string | null; pin_mac: string | null }>(
  'select id, handover, pin_mac from pending_login where id = ?',
);

for (const database of databases) {
  describe(`QR login on ${database}`, () => {
    const clock = runningClock();
    let server: TestServer;
    let device: NewDevice;
    let owner: TestUser;
    before(async () => {
      server = await startServer({ database, flags: { 'login-confirmation': 'new-device' }, ports: { clock } });
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
      assert.match(id, /^SQ[0-9a-f]{32}$/);
      const code = (await device.createQrCode(id)).data;
      assert.deepEqual(code, {
        callbackUrl: `${server.url}/R/au/lgn/sq/${id}`,
        longPollingIntervalSec: 150,
        longPollingMaxCount: 2,
      });
      const waiting = device.checkQr(id, 30_000);
      const seen = await primary().scanQrCode({ authSessionId: id });
      assert.deepEqual(
        [seen.loginId, seen.kind, seen.loginType, seen.state, seen.remoteAddress],
        [id, 'QR', 1, 'scanned', '127.0.0.1'],
      );
      assert.deepEqual(await primary().getPendingLogins(), [seen]);
      const e2ee = sampleHandover();
      await primary().approveLogin({ loginId: id, e2ee });
      assert.deepEqual((await waiting).body, { code: 0, message: 'OK', data: {} });
      assert.equal(outcomeOf(await device.verifyCertificate(id)), 'QR_VERIFICATION_FAILED');
      const { pinCode } = (await device.createPin(id)).data;
      assert.match(pinCode, /^\d{6}$/);
      assert.doesNotMatch(JSON.stringify(await stored(id)), new RegExp(pinCode));
      const typed = device.checkPin(id, 30_000);
      await primary().submitPinCode({ loginId: id, pinCode });
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
      assert.equal(await stored(id), undefined, 'the key chain is forgotten');
      assert.deepEqual(await newsAfter(owner, start), ['pending', 'approved', 'approved']);
    });

    test('a certificate of an earlier login makes the PIN needless, for the kind of device that got it', async () => {
      const first = await device.showPin(owner.client);
      await primary().submitPinCode({ loginId: first.id, pinCode: first.pinCode });
      await device.checkPin(first.id);
      const { certificate } = (await device.qrLogin(first.id)).data;

      const again = async () => {
        const id = await device.showCode();
        await primary().scanQrCode({ authSessionId: id });
        await primary().approveLogin({ loginId: id });
        await device.checkQr(id);
        assert.equal(outcomeOf(await device.verifyCertificate(id, certificate)), 'OK');
        return id;
      };
      const id = await again();
      assert.equal((await primary().getPendingLogins())[0]?.state, 'verified');
      const answer = await device.qrLogin(id);
      assert.equal(outcomeOf(answer), 'OK');
      assert.deepEqual(answer.data.metaData, {});

      const other = await again();
      assert.equal(outcomeOf(await device.qrLogin(other, 'Phone')), 'QR_NOT_ALLOWED');
      const { pinCode } = (await device.createPin(other)).data;
      await primary().submitPinCode({ loginId: other, pinCode });
      await device.checkPin(other);
      assert.equal(outcomeOf(await device.qrLogin(other, 'Phone')), 'OK');
    });

    test('a certificate of another account is not valid', async () => {
      const other = await server.user('other');
      const theirs = await device.showPin(other.client);
      await other.client.PrimaryDeviceService.submitPinCode({ loginId: theirs.id, pinCode: theirs.pinCode });
      await device.checkPin(theirs.id);
      const { certificate } = (await device.qrLogin(theirs.id)).data;
      const id = await device.showCode();
      await primary().scanQrCode({ authSessionId: id });
      await primary().approveLogin({ loginId: id });
      await device.checkQr(id);
      assert.equal(outcomeOf(await device.verifyCertificate(id, certificate)), 'QR_VERIFICATION_FAILED');
    });

    test('existing clients get every member of the key chain as text', async () => {
      const id = await device.showCode();
      await primary().scanQrCode({ authSessionId: id });
      await primary().approveLogin({ loginId: id, e2ee: sampleHandover() });
      await device.checkQr(id);
      await device.verifyCertificate(id);
      const { pinCode } = (await device.createPin(id)).data;
      await primary().submitPinCode({ loginId: id, pinCode });
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
      const polls = [device.checkQr(id, 60_000), device.checkQr(id, 60_000)];
      await new Promise((resolve) => setTimeout(resolve, 50));
      const third = device.checkQr(id, 60_000);
      assert.equal((await Promise.race(polls)).status, 410, 'the oldest of three ends');
      await primary().scanQrCode({ authSessionId: id });
      const started = performance.now();
      await primary().approveLogin({ loginId: id });
      assert.equal(outcomeOf(await third), 'OK');
      assert.ok(performance.now() - started < 900, 'woken, not found by a look');
      assert.equal(outcomeOf(await device.checkQr(id)), 'OK');
      assert.equal(outcomeOf(await device.checkQr(id)), 'OK');
    });

    test('a poll whose client went away takes nothing with it', async () => {
      const id = await device.showCode();
      const leaving = newDevice(server);
      const lost = leaving.checkQr(id, 60_000).catch(() => 'lost');
      await new Promise((resolve) => setTimeout(resolve, 50));
      leaving.close();
      assert.equal(await lost, 'lost');
      await primary().scanQrCode({ authSessionId: id });
      await primary().approveLogin({ loginId: id });
      assert.equal(outcomeOf(await device.checkQr(id)), 'OK');
    });

    test('a refused login ends its polls with 410 and goes no further', async () => {
      const id = await device.showCode();
      const waiting = device.checkQr(id, 60_000);
      await primary().scanQrCode({ authSessionId: id });
      const start = await headOf(owner);
      await primary().denyLogin({ loginId: id });
      assert.equal((await waiting).status, 410);
      assert.equal((await device.checkQr(id)).status, 410);
      assert.equal(outcomeOf(await device.qrLogin(id)), 'QR_INVALID_CONTEXT');
      assert.equal(await refusalOf(primary().approveLogin({ loginId: id })), 'INVALID_STATE');
      assert.deepEqual(await newsAfter(owner, start), ['denied']);
      assert.ok(!(await primary().getPendingLogins()).some((login) => login.loginId === id));
    });

    test('after three minutes a code can neither be scanned nor go on', async () => {
      const unscanned = await device.showCode();
      const { id, pinCode } = await device.showPin(owner.client);
      clock.move(SESSION_LIFE);
      assert.equal(await refusalOf(primary().scanQrCode({ authSessionId: unscanned })), 'NOT_FOUND');
      assert.equal(outcomeOf(await device.checkQr(unscanned)), 'QR_INVALID_CONTEXT');
      assert.equal(await refusalOf(primary().submitPinCode({ loginId: id, pinCode })), 'NOT_FOUND');
      assert.equal(outcomeOf(await device.qrLogin(id)), 'QR_INVALID_CONTEXT');
      await server.server.slices.login.sweep();
      assert.equal(await stored(id), undefined);
    });

    test('a login ends for good when somebody else took it', async () => {
      const { id, pinCode } = await device.showPin(owner.client);
      await primary().submitPinCode({ loginId: id, pinCode });
      await device.checkPin(id);
      const outcomes = (await Promise.all([1, 2, 3, 4].map(() => device.qrLogin(id)))).map(outcomeOf);
      assert.equal(outcomes.filter((outcome) => outcome === 'OK').length, 1, outcomes.join());
      assert.equal(outcomes.filter((outcome) => outcome === 'QR_INVALID_CONTEXT').length, 3, outcomes.join());
    });

    test('of many scans at once, of sessions and accounts, one binds the code', async () => {
      const others = await Promise.all([1, 2, 3].map(() => server.user('scanner')));
      const id = await device.showCode();
      const clients = [owner.client, await owner.session(), ...others.map((other) => other.client)];
      const outcomes = await Promise.all(
        clients.map((client) => refusalOf(client.PrimaryDeviceService.scanQrCode({ authSessionId: id }))),
      );
      assert.equal(outcomes.filter((outcome) => outcome === 'OK').length, 1, outcomes.join());
      assert.equal(outcomes.filter((outcome) => outcome === 'INVALID_STATE').length, 4, outcomes.join());
      const winner = clients[outcomes.indexOf('OK')];
      const again = await winner?.PrimaryDeviceService.scanQrCode({ authSessionId: id });
      assert.equal(again?.state, 'scanned', 'a repeat of the same session is no second scan');
    });

    test('of approvals and refusals at once one is decisive', async () => {
      for (let round = 0; round < 5; round++) {
        const id = await device.showCode();
        await primary().scanQrCode({ authSessionId: id });
        const second = await owner.session();
        const approvals = [owner.client, second].map((client) =>
          refusalOf(client.PrimaryDeviceService.approveLogin({ loginId: id })),
        );
        const denial = refusalOf(second.PrimaryDeviceService.denyLogin({ loginId: id }));
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
            together.map((guess) => refusalOf(primary().submitPinCode({ loginId: id, pinCode: guess }))),
          )),
        );
      }
      const count = (code: string) => outcomes.filter((outcome) => outcome === code).length;
      assert.deepEqual([count('INVALID_PIN_CODE'), count('INVALID_STATE')], [5, GUESSES - 5]);
      assert.equal((await waiting).status, 410);
      assert.equal(await refusalOf(primary().submitPinCode({ loginId: id, pinCode })), 'INVALID_STATE');
      assert.equal(outcomeOf(await device.qrLogin(id)), 'QR_INVALID_CONTEXT');
      assert.deepEqual(await newsAfter(owner, start), ['denied']);
    });

    test('a new PIN replaces the old one and brings no new tries', async () => {
      const { id, pinCode } = await device.showPin(owner.client);
      const submit = (guess: string) => refusalOf(primary().submitPinCode({ loginId: id, pinCode: guess }));
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
      await (await restarted()).scanQrCode({ authSessionId: id });
      await (await restarted()).approveLogin({ loginId: id });
      await restarted();
      assert.equal(outcomeOf(await device.checkQr(id)), 'OK');
      assert.equal(outcomeOf(await device.verifyCertificate(id)), 'QR_VERIFICATION_FAILED');
      const { pinCode } = (await device.createPin(id)).data;
      await (await restarted()).submitPinCode({ loginId: id, pinCode });
      await restarted();
      assert.equal(outcomeOf(await device.checkPin(id)), 'OK');
      assert.equal(outcomeOf(await device.qrLogin(id)), 'OK');
      owner = await server.user('owner');
    });

    test('a new password ends the logins that wait', async () => {
      const user = await server.user('changed');
      const { id, pinCode } = await device.showPin(user.client);
      await user.client.PrimaryDeviceService.submitPinCode({ loginId: id, pinCode });
      await device.checkPin(id);
      const account = await server.server.slices.accounts.show(user.mid);
      await server.server.slices.accounts.resetPassword(account?.id ?? 0, 'an entirely new one');
      assert.equal(outcomeOf(await device.qrLogin(id)), 'QR_NOT_ALLOWED');
      assert.equal(await stored(id), undefined);
    });

    test('the address in the code shows what is being approved and how', async () => {
      const id = await device.createSession();
      const path = (await device.createQrCode(id)).data.callbackUrl;
      const shown = await fetch(`${path}?secret=${encodeURIComponent(sampleHandover().publicKey)}&e2eeVersion=1`);
      assert.equal(shown.status, 200);
      assert.match(shown.headers.get('content-security-policy') ?? '', /default-src 'none'/);
      const html = await shown.text();
      for (const part of [
        'A device asks to be let in',
        '127.0.0.1',
        'UTC',
        `sealpost devices approve '${path}?secret=`,
      ]) {
        assert.ok(html.includes(part), part);
      }
      await primary().scanQrCode({ authSessionId: id });
      assert.match(await (await fetch(path)).text(), /waits for your confirmation/);
      await primary().denyLogin({ loginId: id });
      assert.match(await (await fetch(path)).text(), /was refused/);
      for (const bad of [id.replace(/.$/, 'x'), 'SQ%00', `${'SQ'}${'0'.repeat(32)}`]) {
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
        outcomes.push(await refusalOf(user.client.PrimaryDeviceService.scanQrCode({ authSessionId: id })));
      }
      assert.deepEqual(outcomes, [...Array.from({ length: 10 }, () => 'OK'), 'EXCESSIVE_ACCESS']);
    });
  });
}
