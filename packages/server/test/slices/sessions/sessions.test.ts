import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ApiError, type ErrorName, limits } from '@sealpost/contract';
import { openSlices, type Slices } from '@sealpost/dev-env/account-slices';
import { databases } from '@sealpost/dev-env/harness';

const is = (code: ErrorName) => (error: ApiError) => error.code === code;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

for (const kind of databases) {
  describe(`sessions on ${kind}`, () => {
    let slices: Slices;
    let users = 0;
    const session = () => slices.openSession(`user${users++}`);
    before(async () => {
      slices = await openSlices(kind);
    });
    after(() => slices.close());

    test('an access token is a JWT whose claims name the account and the session, and says when it expires', async () => {
      const { account, sessionId, tokens } = await session();
      const [header, claims] = tokens.accessToken
        .split('.')
        .slice(0, 2)
        .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
      assert.equal(header.alg, 'HS256');
      assert.equal(claims.aid, account.mid);
      assert.equal(claims.lsid, String(sessionId));
      assert.equal(claims.exp - claims.iat, 7 * 86_400);
      assert.equal(tokens.loginSessionId, String(sessionId));
      assert.equal(tokens.durationUntilRefreshInSec, '86400');
      assert.equal(tokens.tokenIssueTimeEpochSec, String(claims.iat));
    });

    test('a token that is loaded while it is renewed is not remembered beyond its grace', async () => {
      const { tokens } = await session();
      await Promise.all([slices.sessions.load(tokens.accessToken), slices.sessions.refresh(tokens.refreshToken)]);
      slices.clock.move(5 * MINUTE);
      assert.equal(slices.sessions.cached(tokens.accessToken), undefined);
      await assert.rejects(slices.sessions.load(tokens.accessToken), is('MUST_REFRESH_V3_TOKEN'));
    });

    test('a loaded session is found in memory until its token expires, then the client must refresh', async () => {
      const { account, sessionId, tokens } = await session();
      assert.equal(slices.sessions.cached(tokens.accessToken), undefined);
      const live = await slices.sessions.load(tokens.accessToken);
      assert.deepEqual(live.caller, { accountId: account.id, mid: account.mid, sessionId });
      assert.equal(slices.sessions.cached(tokens.accessToken), live);
      slices.clock.move(limits.accessTokenMs.value - 1);
      for (const sessions of [slices.sessions, slices.otherSessions()]) {
        assert.deepEqual((await sessions.load(tokens.accessToken)).caller, live.caller);
      }
      assert.ok(slices.sessions.cached(tokens.accessToken));
      slices.clock.move(1);
      assert.equal(slices.sessions.cached(tokens.accessToken), undefined);
      await assert.rejects(slices.sessions.load(tokens.accessToken), is('MUST_REFRESH_V3_TOKEN'));
    });

    test('a token that this server did not sign needs a login', async () => {
      const { tokens } = await session();
      const changed = `${tokens.accessToken.slice(0, -2)}AA`;
      for (const token of ['', 'x', 'a.b.c', changed, `${tokens.accessToken}A`]) {
        await assert.rejects(slices.sessions.load(token), is('REQUEST_NEED_LOGIN'));
      }
    });

    test('64 refreshes at once give one successor, and the old access token works on for five minutes', async () => {
      const { tokens } = await session();
      const answers = await Promise.all(Array.from({ length: 64 }, () => slices.sessions.refresh(tokens.refreshToken)));
      const [first] = answers;
      for (const answer of answers) assert.deepEqual(answer, first);
      assert.notEqual(first?.accessToken, tokens.accessToken);
      slices.clock.move(5 * MINUTE - 1);
      await slices.sessions.load(tokens.accessToken);
      slices.clock.move(1);
      assert.equal(slices.sessions.cached(tokens.accessToken), undefined);
      await assert.rejects(slices.sessions.load(tokens.accessToken), is('MUST_REFRESH_V3_TOKEN'));
      await slices.sessions.load(first?.accessToken ?? '');
    });

    test('a refresh token used again after its successor was used ends the session', async () => {
      const { tokens, sessionId } = await session();
      const ended: unknown[] = [];
      slices.sessions.onRevoked((_account, id) => ended.push(id));
      const next = await slices.sessions.refresh(tokens.refreshToken);
      await slices.sessions.load(next.accessToken);
      await assert.rejects(slices.sessions.refresh(tokens.refreshToken), is('AUTH_INVALID_REQUEST'));
      assert.ok(ended.includes(sessionId));
      assert.equal(slices.sessions.cached(next.accessToken), undefined);
      await assert.rejects(slices.sessions.load(next.accessToken), is('SESSION_LOGGED_OUT'));
      await assert.rejects(slices.sessions.refresh(next.refreshToken), is('AUTH_INVALID_REQUEST'));
    });

    test('a refresh token used again after a minute ends the session even if the successor was never used', async () => {
      const { tokens } = await session();
      const next = await slices.sessions.refresh(tokens.refreshToken);
      slices.clock.move(MINUTE - 1);
      assert.deepEqual(await slices.sessions.refresh(tokens.refreshToken), next);
      slices.clock.move(1);
      await assert.rejects(slices.sessions.refresh(tokens.refreshToken), is('AUTH_INVALID_REQUEST'));
      await assert.rejects(slices.sessions.load(next.accessToken), is('SESSION_LOGGED_OUT'));
    });

    test('a refresh token two generations old ends the session', async () => {
      const { tokens } = await session();
      const second = await slices.sessions.refresh(tokens.refreshToken);
      const third = await slices.sessions.refresh(second.refreshToken);
      await assert.rejects(slices.sessions.refresh(tokens.refreshToken), is('AUTH_INVALID_REQUEST'));
      await assert.rejects(slices.sessions.load(third.accessToken), is('SESSION_LOGGED_OUT'));
    });

    test('a refresh token that was changed is refused and hurts no session', async () => {
      const { tokens, sessionId } = await session();
      const [id, , mac] = tokens.refreshToken.split('.');
      for (const bad of [
        '',
        'x',
        `${id}.2.${mac}`,
        `${Number(id) + 1}.1.${mac}`,
        tokens.accessToken,
        `${id}.1.${'A'.repeat(43)}`,
      ]) {
        await assert.rejects(slices.sessions.refresh(bad), is('AUTH_INVALID_REQUEST'));
      }
      assert.equal((await slices.sessions.load(tokens.accessToken)).caller.sessionId, sessionId);
    });

    test('a client that renews every twelve hours lives through 400 days', async () => {
      let { tokens } = await session();
      for (let day = 0; day < 800; day++) {
        slices.clock.move(12 * HOUR);
        tokens = await slices.sessions.refresh(tokens.refreshToken);
        if (day % 50 === 0) await slices.sessions.load(tokens.accessToken);
      }
      await slices.sessions.load(tokens.accessToken);
    });

    test('a session that is not renewed for a year cannot be renewed any more', async () => {
      const [renewed, left] = [await session(), await session()];
      const listed = ({ account }: typeof left) =>
        slices.store.read(async (reader) => (await slices.sessions.list(reader, account.id)).length);
      slices.clock.move(365 * DAY - 1);
      assert.deepEqual([await listed(renewed), await listed(left)], [1, 1]);
      const { refreshToken } = await slices.sessions.refresh(renewed.tokens.refreshToken);
      slices.clock.move(1);
      assert.deepEqual([await listed(renewed), await listed(left)], [1, 0]);
      await assert.rejects(slices.sessions.refresh(left.tokens.refreshToken), is('AUTH_INVALID_REQUEST'));
      slices.clock.move(365 * DAY - 2);
      await slices.sessions.refresh(refreshToken);
    });

    test('a certificate does not expire, but an account keeps the fifty newest alone', async () => {
      const { account, sessionId } = await session();
      const { certificates, clock, store } = slices;
      const issue = async () => {
        clock.move(1);
        return store.transact((tx) => certificates.issue(tx, account.id, 'OTHER', sessionId));
      };
      const known = (certificate: string | undefined) =>
        store.read((reader) => certificates.recognises(reader, account.id, 'OTHER', certificate));
      const issued: string[] = [];
      for (let n = 0; n < 50; n++) issued.push(await issue());
      clock.move(10 * 365 * DAY);
      assert.deepEqual(await Promise.all(issued.map(known)), Array(50).fill(true));
      issued.push(await issue());
      assert.deepEqual(await Promise.all(issued.map(known)), [false, ...Array(50).fill(true)]);
    });

    test('revoking one session logs out that one at once and no other', async () => {
      const { account, sessionId, tokens } = await session();
      const device = { systemName: 'Other', modelName: '', clientType: 'TEST', remoteAddress: '::1' };
      const other = await slices.store.transact((tx) =>
        slices.sessions.open(tx, { accountId: account.id, mid: account.mid, ...device }),
      );
      await slices.sessions.load(tokens.accessToken);
      await slices.sessions.load(other.tokens.accessToken);
      await slices.sessions.revoke([sessionId], 'test');
      assert.equal(slices.sessions.cached(tokens.accessToken), undefined);
      await assert.rejects(slices.sessions.load(tokens.accessToken), is('SESSION_LOGGED_OUT'));
      assert.ok(slices.sessions.cached(other.tokens.accessToken));
      const live = await slices.store.read((reader) => slices.sessions.list(reader, account.id));
      assert.deepEqual(
        live.map((row) => row.id),
        [other.sessionId],
      );
    });

    test('a revocation at the moment of a load leaves no live session behind', async () => {
      for (let round = 0; round < 20; round++) {
        const { sessionId, tokens } = await session();
        await Promise.allSettled([
          slices.sessions.load(tokens.accessToken),
          slices.sessions.revoke([sessionId], 'test'),
        ]);
        assert.equal(slices.sessions.cached(tokens.accessToken), undefined);
      }
    });

    test('another server sees a revocation when it is told to forget the account', async () => {
      const { account, tokens } = await session();
      const other = slices.otherSessions();
      await other.load(tokens.accessToken);
      await slices.sessions.revokeAll(account.id, 'test');
      other.forget(account.id);
      assert.equal(other.cached(tokens.accessToken), undefined);
      await assert.rejects(other.load(tokens.accessToken), is('SESSION_LOGGED_OUT'));
    });

    test('a server that is not told believes a session for five seconds, unless it is the only one', async () => {
      const { sessionId, tokens } = await session();
      const other = slices.otherSessions();
      await other.load(tokens.accessToken);
      await slices.sessions.revoke([sessionId], 'test');
      slices.clock.move(4_999);
      assert.equal(other.cached(tokens.accessToken)?.caller.sessionId, sessionId);
      slices.clock.move(1);
      assert.equal(other.cached(tokens.accessToken)?.caller.sessionId, kind === 'sqlite' ? sessionId : undefined);
    });

    test('the clean-up deletes sessions that are over and leaves the others alone', async () => {
      const over = await session();
      const live = await session();
      await slices.sessions.revoke([over.sessionId], 'test');
      slices.clock.move(1);
      assert.ok((await slices.sessions.sweep(slices.clock.now())) >= 1);
      assert.equal(await slices.sessions.sweep(slices.clock.now()), 0);
      await assert.rejects(slices.sessions.load(over.tokens.accessToken), is('SESSION_LOGGED_OUT'));
      await slices.sessions.load(live.tokens.accessToken);
    });

    test('a token for object storage names its caller until it expires or the session ends', async () => {
      const { account, sessionId, tokens } = await session();
      const { caller } = await slices.sessions.load(tokens.accessToken);
      const { token, lifeSec } = slices.sessions.objectToken(caller);
      assert.deepEqual(await slices.sessions.readObjectToken(token), {
        accountId: account.id,
        mid: account.mid,
        sessionId,
      });
      assert.equal(await slices.sessions.readObjectToken(tokens.refreshToken), undefined);
      assert.equal(lifeSec, HOUR / 1000);
      slices.clock.move(HOUR - 1);
      assert.equal((await slices.sessions.readObjectToken(token))?.sessionId, sessionId);
      slices.clock.move(1);
      assert.equal(await slices.sessions.readObjectToken(token), undefined);
      const second = slices.sessions.objectToken(caller);
      await slices.sessions.revoke([sessionId], 'test');
      assert.equal(await slices.sessions.readObjectToken(second.token), undefined);
    });
  });
}
