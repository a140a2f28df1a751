// The lifetime of a waiting login at each step: the step succeeds in the last millisecond and fails in the next.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type NewDevice, newDevice, outcomeOf, refusalOf, sampleHandover } from '@sealpost/conformance/testing';
import { brandHeader, httpPaths, limits, loginTypes, pathOf } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';
import { virtualTime } from '@sealpost/dev-env/virtual-time';
import { watchedTimers } from '@sealpost/dev-env/watched-timers';
import { sql } from '../../../src/platform/store/sql.ts';

const LIFE_MS = limits.loginLifeMs.value;
/** Milliseconds between a poll's checks for changes by other servers and for expiry. */
const LOOK_MS = 1_000;
/** Window of a poll in milliseconds; no other timer of the server has this time. */
const WINDOW_MS = 61_357;

const storedLogin = sql<{ id: string }>('select id from pending_login where id = ?');

for (const database of databases) {
  describe(`the time of a login on ${database}`, () => {
    const clock = virtualTime(Date.now());
    const watched = watchedTimers();
    let server: TestServer;
    let device: NewDevice;
    let owner: TestUser;
    before(async () => {
      const flags = { 'login-confirmation': 'new-device' };
      server = await startServer({ database, flags, ports: { clock, timers: watched.timers } });
      device = newDevice(server);
      owner = await server.user('owner');
      const keyData = randomBytes(32).toString('base64');
      await owner.client.TalkService.registerE2EEPublicKey(0, { keyData });
    });
    after(async () => {
      device.close();
      await server.close();
    });

    const primary = () => owner.client.PrimaryDeviceService;
    /**
     * Runs a step twice: in the last millisecond of a login's life, and in the next millisecond. Returns both results.
     */
    async function atBothEdges<L, R>(begin: () => Promise<L>, step: (login: L) => Promise<R>): Promise<R[]> {
      const given: R[] = [];
      for (const early of [1, 0]) {
        const login = await begin();
        clock.move(LIFE_MS - early);
        given.push(await step(login));
      }
      return given;
    }
    /**
     * Moves the clock to just before the end of a lifetime. Without the renewal by the last step, the login would
     * expire by then.
     */
    const later = () => clock.move(LIFE_MS - 1);

    async function scanned() {
      const id = await device.showCode();
      const loginId = device.loginIdOf(id);
      await primary().scanQrCode({ loginId });
      return { id, loginId };
    }
    async function confirmed() {
      const login = await scanned();
      later();
      await primary().approveLogin({ loginId: login.loginId });
      return login;
    }
    async function withPin() {
      const login = await confirmed();
      await device.checkQr(login.id);
      await device.verifyCertificate(login.id);
      later();
      return { ...login, pinCode: (await device.createPin(login.id)).data.pinCode };
    }
    async function verified() {
      const { id, loginId, pinCode } = await withPin();
      later();
      await primary().submitPinCode({ loginId, pinCode });
      return id;
    }

    test('a QR login without a code', async () => {
      const step = async (id: string) => outcomeOf(await device.createQrCode(id));
      assert.deepEqual(await atBothEdges(device.createSession, step), ['OK', 'QR_INVALID_CONTEXT']);
    });

    test('a code, its page, and what is stored of it', async () => {
      const begin = async () => {
        const id = await device.createSession();
        later();
        await device.createQrCode(id);
        return device.loginIdOf(id);
      };
      const step = async (loginId: string) => {
        const { status } = await fetch(`${server.url}/R/au/lgn/sq/${loginId}`);
        const outcome = await refusalOf(primary().scanQrCode({ loginId }));
        await server.server.slices.login.sweep();
        const stored = await server.server.store.read((reader) => reader.one(storedLogin, loginId));
        return [status, outcome, stored?.id === loginId];
      };
      assert.deepEqual(await atBothEdges(begin, step), [
        [200, 'OK', true],
        [404, 'NOT_FOUND', false],
      ]);
    });

    test('a code that was scanned', async () => {
      const step = async ({ loginId }: { loginId: string }) => {
        const listed = (await primary().getPendingLogins()).some((login) => login.loginId === loginId);
        return [listed, await refusalOf(primary().approveLogin({ loginId }))];
      };
      assert.deepEqual(await atBothEdges(scanned, step), [
        [true, 'OK'],
        [false, 'NOT_FOUND'],
      ]);
    });

    test('a code that was confirmed', async () => {
      const step = async ({ id }: { id: string }) => [
        outcomeOf(await device.checkQr(id)),
        outcomeOf(await device.verifyCertificate(id)),
        outcomeOf(await device.createPin(id)),
      ];
      assert.deepEqual(await atBothEdges(confirmed, step), [
        ['OK', 'QR_VERIFICATION_FAILED', 'OK'],
        Array(3).fill('QR_INVALID_CONTEXT'),
      ]);
    });

    test('a PIN of a QR login', async () => {
      const step = async ({ loginId, pinCode }: { loginId: string; pinCode: string }) =>
        refusalOf(primary().submitPinCode({ loginId, pinCode }));
      assert.deepEqual(await atBothEdges(withPin, step), ['OK', 'NOT_FOUND']);
    });

    test('a PIN that was typed', async () => {
      const step = async (id: string) => [outcomeOf(await device.checkPin(id)), outcomeOf(await device.qrLogin(id))];
      assert.deepEqual(await atBothEdges(verified, step), [
        ['OK', 'OK'],
        ['QR_INVALID_CONTEXT', 'QR_INVALID_CONTEXT'],
      ]);
    });

    /** Begins a password login that waits for another device. */
    async function asked(more: Record<string, unknown> = {}) {
      const { verifier, pinCode } = (await device.login(owner.userid, owner.password, more)).data;
      const login = (await primary().getPendingLogins()).findLast(({ kind }) => kind === 'CREDENTIAL');
      return { verifier, pinCode, loginId: login?.loginId ?? assert.fail('nothing waits') };
    }
    const sealed = () =>
      asked({
        type: loginTypes.ID_CREDENTIAL_WITH_E2EE,
        secret: randomBytes(32).toString('base64'),
        e2eeVersion: 1,
      });

    test('a PIN of a login with a password', async () => {
      const step = ({ loginId, pinCode }: { loginId: string; pinCode: string }) =>
        refusalOf(primary().approveLogin({ loginId, pinCode }));
      assert.deepEqual(await atBothEdges(asked, step), ['OK', 'NOT_FOUND']);
    });

    test('a login with a password that was confirmed', async () => {
      const begin = async () => {
        const { loginId, pinCode, verifier } = await asked();
        later();
        await primary().approveLogin({ loginId, pinCode });
        return verifier;
      };
      const step = async (verifier: string) => [
        outcomeOf(await device.pollJQ(verifier)),
        outcomeOf(await device.finish(verifier)),
      ];
      assert.deepEqual(await atBothEdges(begin, step), [
        ['OK', 'OK'],
        ['POLL_GONE', 'AUTHENTICATION_FAILED'],
      ]);
    });

    test('a sealed login that was confirmed', async () => {
      const begin = async () => {
        const { loginId, verifier } = await sealed();
        later();
        const e2ee = sampleHandover();
        await primary().approveLogin({ loginId, e2ee });
        return { verifier, proof: e2ee.hashKeyChain };
      };
      const step = async ({ verifier, proof }: { verifier: string; proof: string }) => [
        outcomeOf(await device.pollLF1(verifier)),
        outcomeOf(await device.prove(verifier, proof)),
        outcomeOf(await device.finish(verifier)),
      ];
      assert.deepEqual(await atBothEdges(begin, step), [
        ['OK', 'OK', 'OK'],
        ['POLL_GONE', 'AUTHENTICATION_FAILED', 'AUTHENTICATION_FAILED'],
      ]);
    });

    test('the room for another login', async () => {
      const begin = async () => {
        const { userid, password } = await server.user('crowded');
        const ask = () => device.login(userid, password);
        for (let n = 0; n < limits.pendingLogins.value; n++) assert.equal(outcomeOf(await ask()), 'OK');
        return ask;
      };
      const step = async (ask: Awaited<ReturnType<typeof begin>>) => {
        const answer = await ask();
        return [outcomeOf(answer), answer.headers['retry-after']];
      };
      assert.deepEqual(await atBothEdges(begin, step), [
        ['EXCESSIVE_ACCESS', '1'],
        ['OK', undefined],
      ]);
    });

    test('polls under way', async () => {
      watched.hold(LOOK_MS);
      const looks = watched.count(LOOK_MS);
      const begin = async () => {
        const qr = await scanned();
        const login = await asked();
        const polls = [device.checkQr(qr.id, WINDOW_MS), device.pollJQ(login.verifier, WINDOW_MS)];
        await until(() => watched.count(LOOK_MS) === looks + 2, 'two polls wait');
        return { qr, login, polls: Promise.all(polls) };
      };
      const step = async ({ qr, login, polls }: Awaited<ReturnType<typeof begin>>) => {
        watched.fire(LOOK_MS);
        await refusalOf(primary().approveLogin({ loginId: qr.loginId }));
        await refusalOf(primary().approveLogin({ loginId: login.loginId, pinCode: login.pinCode }));
        return (await polls).map(outcomeOf);
      };
      assert.deepEqual(await atBothEdges(begin, step), [
        ['OK', 'OK'],
        ['POLL_GONE', 'POLL_GONE'],
      ]);
      watched.release(LOOK_MS);
    });

    test('a poll that names no window has the usual one, and none has a longer one than the longest', async () => {
      const qr = await device.showCode();
      const [plain, keys] = [await asked(), await sealed()];
      const code = { body: JSON.stringify([{ authSessionId: qr }]) };
      const get = (verifier: string) => ({
        verb: 'GET' as const,
        headers: { [brandHeader(device.raw.brand, 'sessionId')]: verifier },
      });
      const check = pathOf('SecondaryQrCodeLoginPermitNoticeService.checkQrCodeVerified');
      for (const [path, poll, windowMs, outcome] of [
        [check, code, 90_000, 'POLL_GONE'],
        [check, { ...code, headers: { 'X-LST': '180001' } }, 180_000, 'POLL_GONE'],
        [httpPaths.longPollJQ, get(plain.verifier), 180_000, 'POLL_TIMEOUT'],
        [httpPaths.longPollLF1, get(keys.verifier), 110_000, 'POLL_TIMEOUT'],
      ] as const) {
        const [waiting, looking] = [watched.count(windowMs), watched.count(LOOK_MS)];
        const answer = device.raw.send(path, poll);
        await until(() => watched.count(LOOK_MS) > looking, `a poll of ${path} waits`);
        assert.equal(watched.count(windowMs), waiting + 1, `${path} waits for ${windowMs} ms`);
        watched.fire(windowMs);
        assert.equal(outcomeOf(await answer), outcome, path);
      }
    });
  });
}
