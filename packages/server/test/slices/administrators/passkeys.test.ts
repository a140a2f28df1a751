// Passkeys as second factors: what the server accepts, and every way in which an answer can be wrong.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  adminBrowser,
  logInAdministrator,
  stoppedClock,
  type TestAdministrator,
} from '@sealpost/dev-env/administrators';
import { databases, startServer, type TestServer } from '@sealpost/dev-env/harness';
import { createPasskey, type Lies, type Passkey } from '@sealpost/dev-env/passkey';
import { relyingPartyOf } from '../../../src/slices/administrators/relying-party.ts';

for (const database of databases) {
  describe(`passkeys on ${database}`, () => {
    const clock = stoppedClock();
    let server: TestServer;
    let origin: string;
    let ann: TestAdministrator;
    let passkey: Passkey;
    before(async () => {
      server = await startServer({ database, ports: { clock } });
      ann = await logInAdministrator(server, { now: clock.now });
      origin = (await ann.client.showLogin()).passkeyOrigin ?? '';
      passkey = createPasskey(origin);
    });
    after(() => server?.close());

    /** Logs in up to the second factor, a day later, so that no limit counts the failures before. */
    const passed = async (later = 24 * 3_600_000) => {
      clock.move(later);
      const browser = adminBrowser(server);
      await browser.client.logIn({ name: ann.name, password: ann.password });
      return browser;
    };

    test('work at localhost, with or without a name of the server', () => {
      assert.equal(origin, `http://localhost:${new URL(server.url).port}`);
    });

    test('are added only if they were made for this challenge and this page', async () => {
      const lies: Lies[] = [
        { origin: 'https://evil.example' },
        { origin: server.url },
        { rpId: 'evil.example' },
        { challenge: 'AAAA' },
        { type: 'webauthn.get' },
      ];
      for (const lie of lies) {
        const options = await ann.client.beginPasskey({ password: ann.password });
        const forged = ann.client.addPasskey({ credential: passkey.create(options, lie), name: 'key' });
        await assert.rejects(forged, { status: 403 }, JSON.stringify(lie));
      }
      const options = await ann.client.beginPasskey({ password: ann.password });
      const credential = passkey.create(options);
      const { factor } = await ann.client.addPasskey({ credential, name: 'key' });
      assert.equal(factor.kind, 'passkey');
      await assert.rejects(ann.client.addPasskey({ credential, name: 'again' }), { status: 403 });
      const { excludeCredentials } = await ann.client.beginPasskey({ password: ann.password });
      assert.deepEqual(excludeCredentials, [{ id: passkey.id, type: 'public-key', transports: ['usb'] }]);
    });

    test('complete a login', async () => {
      const { client } = await passed();
      assert.deepEqual((await client.showLogin()).factors, ['passkey', 'totp', 'recovery-code']);
      const options = await client.beginPasskeyLogin();
      assert.deepEqual(options.allowCredentials, [{ id: passkey.id, type: 'public-key', transports: ['usb'] }]);
      assert.equal((await client.logInWithPasskey({ credential: passkey.get(options) })).state, 'full');
      await client.listAccounts();
    });

    test('do not for another origin, name, challenge, kind of answer, or id, nor with a counter that went back', async () => {
      const bob = await logInAdministrator(server, { now: clock.now });
      const his = createPasskey(origin);
      const begun = await bob.client.beginPasskey({ password: bob.password });
      await bob.client.addPasskey({ credential: his.create(begun), name: 'his' });
      const answers: ((options: Parameters<Passkey['get']>[0]) => ReturnType<Passkey['get']>)[] = [
        (options) => passkey.get(options, { origin: 'https://evil.example' }),
        (options) => passkey.get(options, { rpId: 'evil.example' }),
        (options) => passkey.get(options, { challenge: 'AAAA' }),
        (options) => passkey.get(options, { type: 'webauthn.create' }),
        (options) => passkey.get(options, { counter: 1 }),
        (options) => passkey.get(options, { counter: 0 }),
        // The passkey of another administrator, also under the id of hers.
        (options) => his.get(options),
        (options) => his.get(options, { id: passkey.id }),
      ];
      for (const [n, answer] of answers.entries()) {
        const { client } = await passed();
        const forged = client.logInWithPasskey({ credential: answer(await client.beginPasskeyLogin()) });
        await assert.rejects(forged, { status: 403 }, `answer ${n}`);
        assert.equal((await client.showLogin()).state, 'second-factor');
        // A challenge is for one answer.
        const { id, rawId, type, response } = passkey.get(await client.beginPasskeyLogin());
        await client.logInWithPasskey({ credential: { id, rawId, type, response } });
      }
    });

    test('answer a challenge once, and in their own login only', async () => {
      const [first, second] = [await passed(), await passed(0)];
      const options = await first.client.beginPasskeyLogin();
      await second.client.beginPasskeyLogin();
      const answer = passkey.get(options);
      await assert.rejects(second.client.logInWithPasskey({ credential: answer }), { status: 403 });
      await assert.rejects(first.client.logInWithPasskey({ credential: passkey.get(options, { challenge: 'AA' }) }), {
        status: 403,
      });
      await assert.rejects(first.client.logInWithPasskey({ credential: passkey.get(options) }), {
        status: 403,
        detail: /ask for a new one/,
      });
      const again = passkey.get(await first.client.beginPasskeyLogin());
      const both = await Promise.allSettled(
        [again, again].map((credential) => first.client.logInWithPasskey({ credential })),
      );
      assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    });

    test('of garbage are refused', async () => {
      const { client } = await passed();
      const options = await client.beginPasskeyLogin();
      const { response, ...rest } = passkey.get(options);
      const credential = { ...rest, response: { ...response, authenticatorData: 'AAAA', clientDataJSON: 'AAAA' } };
      await assert.rejects(client.logInWithPasskey({ credential }), { status: 403 });
    });
  });
}

test('passkeys are for names with https, and for this machine', () => {
  assert.deepEqual(relyingPartyOf('https://chat.example.org'), {
    id: 'chat.example.org',
    origin: 'https://chat.example.org',
  });
  assert.deepEqual(relyingPartyOf('https://chat.example.org:8443/x')?.origin, 'https://chat.example.org:8443');
  assert.deepEqual(relyingPartyOf('http://[::1]:9000'), { id: 'localhost', origin: 'http://localhost:9000' });
  for (const address of ['http://chat.example.org', 'https://192.0.2.1', 'http://192.0.2.1', 'https://[2001:db8::1]'])
    assert.equal(relyingPartyOf(address), undefined, address);
});
