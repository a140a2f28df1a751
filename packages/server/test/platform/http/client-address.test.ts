import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dataOf, newDevice } from '@sealpost/conformance/testing';
import { pathOf } from '@sealpost/contract';
import { type StartOptions, startServer } from '@sealpost/dev-env/harness';
import { ConfigError } from '../../../src/platform/kernel/config-error.ts';
import { loadConfig } from '../../../src/start/config/config.ts';

/**
 * Begins a login with an X-Forwarded-For header. Returns the address of the new device, as the approving user sees it.
 */
async function shownAddress(flags: StartOptions['flags'], forwarded: string): Promise<string> {
  const server = await startServer({ ...(flags && { flags }) });
  const device = newDevice(server);
  try {
    const headers = { 'X-Forwarded-For': forwarded };
    const path = pathOf('SecondaryQrCodeLoginService.createSession');
    const { authSessionId } = dataOf(await device.raw.send(path, { body: '[{}]', headers }));
    await device.createQrCode(authSessionId);
    const owner = await server.user('owner');
    return (await owner.client.PrimaryDeviceService.scanQrCode({ loginId: device.loginIdOf(authSessionId) }))
      .remoteAddress;
  } finally {
    device.close();
    await server.close();
  }
}

describe('the address of a client', () => {
  test('is the other end of its connection, whatever it claims', async () => {
    assert.equal(await shownAddress({}, '203.0.113.7'), '127.0.0.1');
    assert.equal(await shownAddress({ 'trusted-proxies': '10.0.0.0/8' }, '203.0.113.7'), '127.0.0.1');
  });

  test('is what trusted proxies saw, not what was there before', async () => {
    const flags = { 'trusted-proxies': 'loopback, 10.0.0.0/8' };
    assert.equal(await shownAddress(flags, '203.0.113.7'), '203.0.113.7');
    assert.equal(await shownAddress(flags, '198.51.100.1, 203.0.113.7, 10.1.2.3'), '203.0.113.7');
    assert.equal(await shownAddress(flags, 'nonsense'), '127.0.0.1');
  });

  test('needs proxies that are addresses', () => {
    const start = (proxies: string) => loadConfig('serve', { flags: { 'trusted-proxies': proxies }, env: {} });
    assert.throws(() => start('my-proxy'), ConfigError);
    assert.throws(() => start('10.0.0.0/99'), /trusted-proxies/);
    assert.deepEqual(start('10.0.0.0/8, ::1').trustedProxies, ['10.0.0.0/8', '::1']);
  });
});
