// Limits that the operator sets: the server enforces them, and clients get the same numbers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createRawClient, outcomeOf } from '@sealpost/conformance/testing';
import { chatTypes, failureLimits, limits } from '@sealpost/contract';
import { startServer } from '@sealpost/dev-env/harness';
import { failsWith } from '@sealpost/dev-env/people';
import { createRpcClient } from '@sealpost/sdk';
import { systemPorts } from '../../src/platform/kernel/system.ts';
import { loadConfig } from '../../src/start/config/config.ts';

const HOUR = 3_600_000;

describe('limits as settings', () => {
  test('without a setting the limits are those of the contract', () => {
    const config = loadConfig('serve', { flags: {}, env: {} });
    const withoutDocs = Object.entries(failureLimits).map(([name, { doc: _doc, ...limit }]) => [name, limit]);
    assert.deepEqual(Object.entries(config.failureLimits), withoutDocs);
    assert.deepEqual(
      Object.entries(config.limits).map(([name, { value }]) => [name, value]),
      Object.entries(limits).map(([name, { value }]) => [name, value]),
    );
  });

  test('the size of chats and the time for unsending are enforced and told as they were set', async () => {
    let ahead = 0;
    const { clock } = systemPorts;
    const server = await startServer({
      flags: { 'chat-members': '3', 'unsend-hours': '2' },
      ports: { clock: { ...clock, now: () => clock.now() + ahead } },
    });
    const [alice, ...others] = await Promise.all(['alice', 'bob', 'carol', 'dave'].map((name) => server.user(name)));
    if (!alice) throw new Error('no user');
    const { TalkService } = alice.client;
    const { configMap } = await TalkService.getConfigurations('', '', '', '', '', 0);
    assert.deepEqual(
      [configMap?.['limit.chat.members'], configMap?.['limit.unsend.window.millis']],
      ['3', String(2 * HOUR)],
    );
    const create = (count: number) => {
      const targetUserMids = others.slice(0, count).map(({ mid }) => mid);
      return TalkService.createChat({ reqSeq: 0, type: chatTypes.GROUP, targetUserMids });
    };
    await create(2);
    await assert.rejects(create(3), failsWith('INVALID_LENGTH', /4 members and invitees, at most 3/));
    const [first, second] = [await alice.client.sendText(alice.mid, '1'), await alice.client.sendText(alice.mid, '2')];
    ahead = 1.9 * HOUR;
    await TalkService.unsendMessage(0, first.id);
    ahead = 2.1 * HOUR;
    await assert.rejects(TalkService.unsendMessage(0, second.id), failsWith('MESSAGE_NOT_DESTRUCTIBLE'));
    await server.close();
  });

  test('access tokens live as long as was set, and clients are told when to renew', async () => {
    let ahead = 0;
    const { clock } = systemPorts;
    const ports = { clock: { ...clock, now: () => clock.now() + ahead } };
    for (const [flags, life, due] of [
      [{}, 7 * 24, 24],
      [{ 'access-token-hours': '3', 'renewal-hours': '2' }, 3, 2],
    ] as const) {
      ahead = 0;
      const server = await startServer({ flags, ports });
      const { client, mid } = await server.user('alice');
      const { tokens } = client.session ?? assert.fail('no session');
      assert.equal(tokens.durationUntilRefreshInSec, String(due * 3600));
      const call = async () => {
        const raw = createRawClient({ url: server.url });
        const answer = await raw.call('TalkService.getProfile', [], tokens.accessToken);
        raw.close();
        return outcomeOf(answer);
      };
      ahead = life * HOUR - 60_000;
      assert.equal(await call(), 'OK', mid);
      ahead = life * HOUR;
      assert.equal(await call(), 'MUST_REFRESH_V3_TOKEN');
      await server.close();
    }
    const start = (flags: Readonly<Record<string, string>>) => loadConfig('serve', { flags, env: {} });
    assert.throws(
      () => start({ 'renewal-hours': '168' }),
      /renewal-hours is "168".*less than access-token-hours \(168\)/,
    );
    assert.throws(() => start({ 'access-token-hours': '24' }), /renewal-hours/);
    assert.throws(() => start({ 'access-token-hours': '0', 'renewal-hours': '0' }), /access-token-hours/);
  });

  test('the number of failed logins is what was set', async () => {
    const server = await startServer({ flags: { 'failures-login-per-account': '2/600+300..300' } });
    const { userid, password } = await server.user('alice');
    const logIn = async (given: string) => {
      const client = createRpcClient({ url: server.url });
      await client.login({ identifier: userid, password: given }).finally(() => client.close());
    };
    await logIn(password);
    for (let i = 0; i < 2; i++) await assert.rejects(logIn('wrong'), failsWith('INVALID_IDENTITY_CREDENTIAL'));
    await assert.rejects(logIn(password), failsWith('EXCESSIVE_ACCESS'));
    await server.close();
  });

  test('a limit on failures that makes no sense is refused with an example', () => {
    for (const value of ['', '10', '0/600+60..60', '10/600+60..30', '10/60+60..600']) {
      assert.throws(
        () => loadConfig('serve', { flags: { 'failures-pin-per-account': value }, env: {} }),
        /failures-pin-per-account is .* for example/,
      );
    }
  });
});
