import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createRawClient, errorsOf, type RawClient } from '@sealpost/conformance/testing';
import { type ChannelToken, httpPaths, limits, timelineChannel } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { pngOf } from '@sealpost/dev-env/packs';
import { failsWith, nobody } from '@sealpost/dev-env/people';
import { systemPorts } from '../../../src/platform/kernel/system.ts';

const REFRESH_MS = 30 * 86_400_000;

for (const database of databases) {
  describe(`channels on ${database}`, () => {
    let server: TestServer;
    let raw: RawClient;
    let alice: TestUser;
    let bob: TestUser;
    let frozen: number | undefined;
    before(async () => {
      const { clock } = systemPorts;
      server = await startServer({
        database,
        ports: { clock: { ...clock, now: () => frozen ?? clock.now() } },
      });
      raw = createRawClient({ url: server.url });
      alice = await server.user('alice');
      bob = await server.user('bob');
    });
    after(async () => {
      raw.close();
      await server.close();
    });

    const issue = (user: TestUser): Promise<ChannelToken> =>
      user.client.ChannelService.issueChannelToken(timelineChannel);
    const get = (user: TestUser, path: string, channelToken: string | undefined) =>
      raw.send(path, {
        verb: 'GET',
        token: user.client.session?.tokens.accessToken,
        headers: { 'X-Svc-ChannelToken': channelToken },
      });
    const refused = async (user: TestUser, channelToken: string | undefined) => {
      const answer = await get(user, httpPaths.homeId, channelToken);
      assert.deepEqual([answer.status, errorsOf(answer)], [400, ['CHANNEL_AUTHENTICATION_FAILED']], answer.text);
    };

    test('a channel token opens the timeline for the account that it was issued to', async () => {
      const { token, channelAccessToken } = await issue(alice);
      assert.equal(channelAccessToken, token);
      const own = await get(alice, httpPaths.homeId, token);
      assert.deepEqual([own.status, own.body.data], [200, { homeId: alice.mid }]);
      const other = await get(alice, `${httpPaths.homeId}?mid=${bob.mid}`, token);
      assert.deepEqual(other.body.data, { homeId: bob.mid });
      const cover = await get(alice, `${httpPaths.getCover}?homeId=${bob.mid}`, token);
      assert.deepEqual([cover.status, cover.body.data], [200, { homeId: bob.mid }]);
    });

    test('tokens of one moment are different ones, and each opens the timeline', async () => {
      frozen = systemPorts.clock.now();
      try {
        const issued = [await issue(alice), await issue(alice)];
        const [{ refreshToken }] = issued as [ChannelToken, ChannelToken];
        issued.push(await alice.client.ChannelService.refreshChannelToken(timelineChannel, refreshToken as string));
        const texts = issued.flatMap((one) => [one.token, one.refreshToken]);
        assert.equal(new Set(texts).size, texts.length);
        for (const { token } of issued) assert.equal((await get(alice, httpPaths.homeId, token)).status, 200);
      } finally {
        frozen = undefined;
      }
    });

    test("without a channel token, with a wrong one or with another account's, the timeline refuses calls", async () => {
      const { token, refreshToken } = await issue(alice);
      await refused(alice, undefined);
      await refused(alice, '');
      await refused(alice, `${token}x`);
      await refused(alice, refreshToken);
      await refused(alice, alice.client.session?.tokens.accessToken);
      await refused(bob, token);
      const unsigned = await raw.send(httpPaths.homeId, { verb: 'GET', headers: { 'X-Svc-ChannelToken': token } });
      assert.equal(unsigned.status, 401);
    });

    test('homes of unknown and of malformed mids answer an error', async () => {
      const { token } = await issue(alice);
      for (const [path, error] of [
        [`${httpPaths.homeId}?mid=${nobody}`, 'NOT_FOUND'],
        [`${httpPaths.homeId}?mid=x`, 'INVALID_MID'],
        [`${httpPaths.getCover}?homeId=${nobody}`, 'NOT_FOUND'],
        [`${httpPaths.getCover}?homeId=c${'0'.repeat(32)}`, 'INVALID_MID'],
        [httpPaths.getCover, 'INVALID_MID'],
      ] as const) {
        const answer = await get(alice, path, token);
        assert.deepEqual(errorsOf(answer), [error], path);
        const field = path.startsWith(httpPaths.getCover) ? 'homeId' : 'mid';
        assert.match(String(answer.body.data?.reason), new RegExp(`\\b${field} `), path);
      }
    });

    describe('covers', () => {
      const upload = async (user: TestUser, bytes: Buffer | string, name = 'reqid-cover') => {
        const { token } = await issue(user);
        const headers = { 'X-Svc-ChannelToken': token, 'Content-Type': 'application/octet-stream' };
        return fetch(`${server.url}/r/myhome/c/${name}`, {
          method: 'POST',
          headers,
          body: new Uint8Array(Buffer.from(bytes)),
        });
      };
      const uploaded = async (user: TestUser, bytes: Buffer | string, name: string): Promise<string> => {
        const answer = await upload(user, bytes, name);
        assert.equal(answer.status, 201, await answer.text());
        return answer.headers.get('x-obs-oid') as string;
      };
      const download = (oid: string, headers: Record<string, string>) =>
        fetch(`${server.url}/r/myhome/c/${oid}`, { headers });
      const statusFor = async (user: TestUser, oid: string) =>
        (await download(oid, { 'X-Svc-ChannelToken': (await issue(user)).token })).status;
      const update = async (user: TestUser, body: unknown) =>
        raw.send(httpPaths.updateCover, {
          token: user.client.session?.tokens.accessToken,
          headers: { 'X-Svc-ChannelToken': (await issue(user)).token },
          body: JSON.stringify(body),
        });
      const coverOf = async (user: TestUser) => {
        const answer = await get(alice, `${httpPaths.getCover}?homeId=${user.mid}`, (await issue(alice)).token);
        return answer.body.data as unknown as { homeId: string; objectId?: string };
      };

      test('an uploaded picture becomes the cover, which all with a channel token see', async () => {
        const picture = pngOf('first');
        const oid = await uploaded(bob, picture, 'reqid-first');
        assert.deepEqual([await statusFor(bob, oid), await statusFor(alice, oid)], [200, 404]);
        const answer = await update(bob, { objectId: oid });
        assert.deepEqual([answer.status, answer.body.data?.objectId], [200, oid]);
        assert.equal((await coverOf(bob)).objectId, oid);
        const seen = await download(oid, { 'X-Svc-ChannelToken': (await issue(alice)).token });
        assert.deepEqual(Buffer.from(await seen.arrayBuffer()), picture);
      });

      test('without a channel token nothing under /r/myhome/ is answered', async () => {
        const { objectId = '' } = await coverOf(bob);
        const access = bob.client.session?.tokens.accessToken as string;
        for (const headers of [
          {},
          { 'X-Svc-Access': access },
          { 'X-Svc-ChannelToken': access },
          { 'X-Svc-ChannelToken': `${(await issue(bob)).token}x` },
          { Cookie: `lct=${access}` },
        ] as Record<string, string>[]) {
          assert.equal((await download(objectId, headers)).status, 401, Object.keys(headers).join());
          const post = { method: 'POST', headers, body: 'x' };
          assert.equal((await fetch(`${server.url}/r/myhome/c/reqid-no`, post)).status, 401);
        }
        const { token } = await issue(bob);
        const { status } = await fetch(`${server.url}/r/talk/m/reqid-no`, {
          method: 'POST',
          headers: { 'X-Svc-ChannelToken': token },
          body: 'x',
        });
        assert.equal(status, 401, 'a channel token opens no media of messages');
      });

      test('only an own, whole picture can be the cover', async () => {
        const { objectId: foreign } = await coverOf(bob);
        const note = await uploaded(alice, 'no picture at all', 'reqid-note');
        for (const objectId of [foreign, note, 'nothing']) {
          assert.deepEqual(errorsOf(await update(alice, { objectId })), ['NOT_FOUND'], objectId);
        }
        assert.deepEqual(errorsOf(await update(alice, { objectId: 'x'.repeat(101) })), ['INVALID_LENGTH']);
        assert.deepEqual(await coverOf(alice), { homeId: alice.mid });
      });

      test('a cover that was replaced or taken away is gone', async () => {
        const { objectId: first = '' } = await coverOf(bob);
        const second = await uploaded(bob, pngOf('second'), 'reqid-second');
        await update(bob, { objectId: second });
        assert.deepEqual([await statusFor(bob, first), await statusFor(alice, second)], [404, 200]);
        assert.deepEqual((await update(bob, { objectId: '' })).body.data, { homeId: bob.mid });
        assert.deepEqual(await coverOf(bob), { homeId: bob.mid });
        assert.equal(await statusFor(bob, second), 404);
      });
    });

    test('only the timeline is a channel', async () => {
      for (const channelId of ['', '1', `${timelineChannel}0`]) {
        await assert.rejects(
          alice.client.ChannelService.issueChannelToken(channelId),
          failsWith('CHANNEL_ILLEGAL_ARGUMENT'),
        );
      }
    });

    test('a refresh token answers a new token to its own session only', async () => {
      const { refreshToken } = await issue(alice);
      const refresh = (client: TestUser['client'], token = refreshToken) =>
        client.ChannelService.refreshChannelToken(timelineChannel, token);
      const { token } = await refresh(alice.client);
      assert.equal((await get(alice, httpPaths.homeId, token)).status, 200);
      const otherSession = await alice.session();
      for (const [client, given] of [
        [bob.client, refreshToken],
        [otherSession, refreshToken],
        [alice.client, token],
        [alice.client, 'x'],
      ] as const) {
        await assert.rejects(refresh(client, given), failsWith('CHANNEL_AUTHENTICATION_FAILED'));
      }
    });

    test('a channel token ends with its session', async () => {
      const carol = await server.user('carol');
      const leaving = await carol.session();
      const { token } = await leaving.ChannelService.issueChannelToken(timelineChannel);
      assert.equal((await get(carol, httpPaths.homeId, token)).status, 200);
      await leaving.logout();
      await refused(carol, token);
    });

    test('a channel token expires at the time it states, and its refresh token after thirty days', async () => {
      const start = systemPorts.clock.now();
      frozen = start;
      const { token, expiration, refreshToken } = await issue(alice);
      assert.equal(Number(expiration), Math.floor((start + limits.channelTokenMs.value) / 1000));
      frozen = start + limits.channelTokenMs.value - 1;
      assert.equal((await get(alice, httpPaths.homeId, token)).status, 200);
      frozen += 1;
      await refused(alice, token);
      const renew = () => alice.client.ChannelService.refreshChannelToken(timelineChannel, refreshToken);
      frozen = start + REFRESH_MS - 1;
      const renewed = await renew();
      assert.equal((await get(alice, httpPaths.homeId, renewed.token)).status, 200);
      frozen += 1;
      await assert.rejects(renew(), failsWith('CHANNEL_AUTHENTICATION_FAILED'));
    });
  });
}
