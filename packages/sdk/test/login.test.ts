import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { PendingLogin } from '@sealpost/contract';
import { createKeyPair, type KeyChainEntry } from '@sealpost/crypto';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import {
  createRpcClient,
  createSealingClient,
  deviceNewsOf,
  GatewayError,
  type KeyStore,
  LoginError,
  memoryKeyStore,
  type QrLoginOptions,
  type QrLoginStep,
  type RpcClient,
  type RpcClientOptions,
  readQrCode,
} from '@sealpost/sdk';

let server: TestServer;
const clients: RpcClient[] = [];

before(async () => {
  server = await startServer({ flags: { 'login-confirmation': 'new-device' } });
});
after(async () => {
  for (const client of clients) client.close();
  await server?.close();
});

function aClient(options: Partial<RpcClientOptions> = {}): RpcClient {
  const client = createRpcClient({ url: server.url, ...options });
  clients.push(client);
  return client;
}

const entry = (keyId: number): KeyChainEntry => ({
  ...createKeyPair(),
  version: 1,
  keyId,
  createdTime: 1_700_000_000_000,
});

/** Returns a user whose device has these keys. */
async function primary(name: string, keys: readonly KeyChainEntry[] = []): Promise<TestUser & { device: RpcClient }> {
  const user = await server.user(name);
  const keyStore = memoryKeyStore();
  await keyStore.addOwnKeys(user.mid, keys);
  const { session } = await user.session();
  assert.ok(session);
  return { ...user, device: aClient({ session, keyStore }) };
}

/** Runs a QR login. Calls `act` with each step, as the user of both devices. */
async function follow(
  client: RpcClient,
  act: (step: QrLoginStep) => Promise<void>,
  options: QrLoginOptions = {},
): Promise<QrLoginStep[]> {
  const steps: QrLoginStep[] = [];
  for await (const step of client.loginByQr(options)) {
    steps.push(step);
    await act(step);
  }
  return steps;
}

/**
 * Returns the `act` of a user who scans the code and approves the login. When the new device shows the PIN, the user
 * types it.
 */
function approver(device: RpcClient, typed: (pin: string) => string = (pin) => pin) {
  let address = '';
  return async (step: QrLoginStep): Promise<void> => {
    if (step.kind === 'qr') {
      address = step.url;
      await device.devices.approve(await device.devices.scan(address));
    }
    if (step.kind !== 'pin') return;
    const offer = await device.devices.offer(address);
    await device.devices.submitPin(address, { pinCode: typed(step.pinCode), words: offer?.words });
  };
}

const kindsOf = (steps: readonly QrLoginStep[]): string[] => steps.map(({ kind }) => kind);
const doneOf = (steps: readonly QrLoginStep[]): Extract<QrLoginStep, { kind: 'done' }> => {
  const last = steps.at(-1);
  assert.ok(last?.kind === 'done');
  return last;
};

test('a QR login goes through scan, PIN and end, and the keys of the account arrive sealed', async () => {
  const keys = [entry(1), entry(2)];
  const user = await primary('alice', keys);
  const keyStore = memoryKeyStore();
  const client = aClient({ keyStore });
  const steps = await follow(client, approver(user.device));
  assert.deepEqual(kindsOf(steps), ['qr', 'scanned', 'pin', 'verified', 'done']);
  assert.equal(client.session?.mid, user.mid);
  assert.equal((await client.TalkService.getProfile()).mid, user.mid);
  assert.deepEqual(await keyStore.ownKeys(user.mid), keys);
  assert.equal(doneOf(steps).keys.length, 2);
});

test('with the certificate of an earlier login no PIN is asked for', async () => {
  const user = await primary('certified');
  const first = aClient();
  const { session } = doneOf(await follow(first, approver(user.device)));
  assert.match(session.certificate ?? '', /^[0-9a-f]{64}$/);
  await first.logout();
  const options = { certificate: session.certificate ?? '' };
  const again = await follow(aClient(), approver(user.device), options);
  assert.deepEqual(kindsOf(again), ['qr', 'scanned', 'done']);
  const bad = await follow(aClient(), approver(user.device), { certificate: 'f'.repeat(64) });
  assert.deepEqual(kindsOf(bad), ['qr', 'scanned', 'pin', 'verified', 'done']);
});

test('a certificate is worth nothing for another account', async () => {
  const [one, other] = [await primary('one'), await primary('other')];
  const { session } = doneOf(await follow(aClient(), approver(one.device)));
  const steps = await follow(aClient(), approver(other.device), { certificate: session.certificate ?? '' });
  assert.ok(kindsOf(steps).includes('pin'));
});

test('a QR login that the other device refuses ends with an error that says so', async () => {
  const user = await primary('refuser');
  const client = aClient();
  const refused = follow(client, async (step) => {
    if (step.kind !== 'qr') return;
    const { loginId } = await user.device.devices.scan(step.url);
    await user.device.devices.deny(loginId);
  });
  await assert.rejects(refused, (error: LoginError) => error instanceof LoginError && error.kind === 'refused');
  assert.equal(client.session, undefined);
});

test('five wrong PINs end a QR login', async () => {
  const user = await primary('guessed');
  let wrong = 0;
  const attempt = follow(aClient(), async (step) => {
    if (step.kind === 'qr') await user.device.devices.approve(await user.device.devices.scan(step.url));
    if (step.kind !== 'pin') return;
    const [login] = await user.device.devices.pending();
    const guess = step.pinCode === '000000' ? '000001' : '000000';
    for (; wrong < 5; wrong++) {
      await assert.rejects(
        user.device.devices.submitPin(login?.loginId ?? '', { pinCode: guess }),
        (error) => error instanceof LoginError && error.kind === 'pin',
      );
    }
    await assert.rejects(user.device.devices.submitPin(login?.loginId ?? '', { pinCode: step.pinCode }), GatewayError);
  });
  await assert.rejects(attempt, LoginError);
  assert.equal(wrong, 5);
});

test('a QR code is scanned by one device only, and nobody else sees the login', async () => {
  const [user, stranger] = [await primary('scanner'), await primary('stranger')];
  const steps = await follow(
    aClient(),
    async (step) => {
      if (step.kind === 'qr') {
        await user.device.devices.scan(step.url);
        await assert.rejects(stranger.device.devices.scan(step.url), GatewayError);
        assert.deepEqual(await stranger.device.devices.pending(), []);
        const [login] = await user.device.devices.pending();
        assert.equal(login?.modelName || login?.systemName, 'kitchen tablet');
        await assert.rejects(stranger.device.devices.approve(login as never), GatewayError);
      }
      await approver(user.device)(step).catch(() => {});
      const [login] = await user.device.devices.pending();
      if (step.kind === 'pin') await user.device.devices.submitPin(login?.loginId ?? '', { pinCode: step.pinCode });
    },
    { systemName: 'kitchen tablet' },
  );
  assert.equal(doneOf(steps).session.mid, user.mid);
});

test('a QR login survives polls that get lost', async () => {
  const user = await primary('tunnel');
  let losses = 2;
  const client = aClient({
    fetch: async (input, init) => {
      if (String(input).includes('checkQrCodeVerified') && losses-- > 0) throw new TypeError('fetch failed');
      return fetch(input, init);
    },
  });
  assert.ok(doneOf(await follow(client, approver(user.device))));
  assert.ok(losses < 0);
});

test('a QR login can be given up, and a closed client gives up by itself', async () => {
  const stop = new AbortController();
  const stopped = follow(aClient(), async () => setTimeout(() => stop.abort(), 20) && undefined, {
    signal: stop.signal,
  });
  await assert.rejects(stopped);
  const client = aClient();
  await assert.rejects(follow(client, async () => setTimeout(() => client.close(), 20) && undefined));
});

test('a credential login on a new device waits until another one types its PIN', async () => {
  const user = await primary('typist');
  const client = aClient();
  let shown = '';
  const login = client.login({
    identifier: user.userid,
    password: user.password,
    systemName: 'laptop',
    onConfirmationNeeded: async (pin) => {
      shown = pin;
      const [pending] = await user.device.devices.pending();
      assert.ok(pending);
      assert.equal(pending.systemName, 'laptop');
      const wrong = pin === '000000' ? '000001' : '000000';
      await assert.rejects(
        user.device.devices.approve(pending, { pinCode: wrong }),
        (error) => error instanceof LoginError && error.kind === 'pin',
      );
      await user.device.devices.approve(pending, { pinCode: pin });
    },
  });
  const session = await login;
  assert.match(shown, /^\d{6}$/);
  assert.equal(session.mid, user.mid);
  await client.logout();
  const again = await aClient().login({
    identifier: user.userid,
    password: user.password,
    systemName: 'laptop',
    certificate: session.certificate ?? '',
    onConfirmationNeeded: () => assert.fail('the certificate is known'),
  });
  assert.equal(again.mid, user.mid);
});

test('a credential login that another device refuses ends with an error that says so', async () => {
  const user = await primary('guard');
  const login = aClient().login({
    identifier: user.userid,
    password: user.password,
    onConfirmationNeeded: async () => {
      const [pending] = await user.device.devices.pending();
      await user.device.devices.deny(pending?.loginId ?? '');
    },
  });
  await assert.rejects(login, (error: LoginError) => error instanceof LoginError && error.kind === 'refused');
});

test('a client that asks for keys of an account without any logs in all the same', async () => {
  const user = await primary('keyless');
  const keyStore: KeyStore = memoryKeyStore();
  const session = await aClient({ keyStore }).login({
    identifier: user.userid,
    password: user.password,
    onConfirmationNeeded: async (pin) => {
      const [pending] = await user.device.devices.pending();
      assert.ok(pending);
      await user.device.devices.approve(pending, { pinCode: pin });
    },
  });
  assert.equal(session.mid, user.mid);
  assert.deepEqual(await keyStore.ownKeys(user.mid), []);
});

/** Returns a user whose account has a registered key, and a device with that key. */
async function sealer(name: string) {
  const user = await primary(name);
  await createSealingClient(user.device).ownKey();
  return user;
}

/** Makes a login that asks for keys on a new device. */
function sealedLogin(user: TestUser, device: RpcClient, confirm: (login: PendingLogin, pin: string) => Promise<void>) {
  const keyStore = memoryKeyStore();
  const client = aClient({ keyStore });
  const session = client.login({
    identifier: user.userid,
    password: user.password,
    onConfirmationNeeded: async (pin) => {
      const [pending] = await device.devices.pending();
      assert.ok(pending?.secret);
      await confirm(pending, pin);
    },
  });
  return { client, keyStore, session };
}

test('a PIN typed wrong hands the keys to nobody, and the login does not happen', async () => {
  const user = await sealer('misread');
  const { devices } = user.device;
  const login = sealedLogin(user, user.device, async (pending, pin) => {
    for (let n = 1; ; n++) {
      const wrong = String((Number(pin) + n) % 1e6).padStart(6, '0');
      // Some wrong PINs are noticed when the offer is made, because they give no valid public key.
      const offer = await devices.offer(pending, wrong).catch((error: Error) => error);
      // Other wrong PINs give other words than the new device shows. This user approves without comparing them.
      if (!(offer instanceof Error)) return devices.approve(pending, { pinCode: wrong, words: offer?.words });
      assert.ok(offer instanceof LoginError && offer.kind === 'pin', String(offer));
    }
  });
  await assert.rejects(login.session, (error: LoginError) => error instanceof LoginError && error.kind === 'pin');
  assert.equal(login.client.session, undefined);
  assert.deepEqual(await login.keyStore.ownKeys(user.mid), []);
});

test('a device without the keys, or without the newest, says so instead of approving a login that asks for them', async () => {
  const user = await sealer('poor');
  const bare = aClient({ session: (await user.session()).session as never, keyStore: memoryKeyStore() });
  const older = aClient({ session: (await user.session()).session as never, keyStore: memoryKeyStore() });
  await older.keyStore.addOwnKeys(user.mid, [{ ...entry(1), keyId: 0 }]);
  const login = sealedLogin(user, user.device, async (pending, pin) => {
    await assert.rejects(bare.devices.approve(pending, { pinCode: pin }), /has no keys of the account/);
    await assert.rejects(older.devices.offer(pending, pin), /lacks key \d+, the newest of the account/);
    await user.device.devices.deny(pending.loginId);
  });
  await assert.rejects(login.session, LoginError);
});

test('sessions are listed, named and ended, and the other sessions are told', async () => {
  const user = await primary('owner');
  const other = aClient();
  const { session } = doneOf(await follow(other, approver(user.device)));
  const id = session.tokens.loginSessionId;
  await user.device.devices.rename(id, 'kitchen');
  const listed = await user.device.devices.sessions();
  assert.equal(listed.find(({ loginSessionId }) => loginSessionId === id)?.name, 'kitchen');
  assert.equal(listed.filter(({ current }) => current).length, 1);
  await user.device.devices.revoke(id);
  await assert.rejects(other.TalkService.getProfile(), (error: GatewayError) => error.error === 'SESSION_LOGGED_OUT');
  assert.equal(other.session, undefined);
  const news = (await user.log()).flatMap((operation) => deviceNewsOf(operation) ?? []);
  const kinds = news.map(({ kind }) => kind);
  assert.deepEqual(kinds, ['pending', 'approved', 'approved', 'revoked']);
  assert.equal(news.at(-1)?.id, id);
  await user.device.devices.revokeOthers();
  assert.equal((await user.device.devices.sessions()).length, 1);
});

test('a QR code is read with and without a key, and anything else is refused', () => {
  const key = 'A'.repeat(43);
  assert.deepEqual(readQrCode(`https://h/R/au/lgn/sq/SQ1?secret=${key}%3D&e2eeVersion=1`), {
    loginId: 'SQ1',
    publicKey: `${key}=`,
  });
  assert.deepEqual(readQrCode('https://h/R/au/lgn/sq/SQ1'), { loginId: 'SQ1' });
  assert.deepEqual(readQrCode('https://h/R/au/lgn/sq/SQ1?secret=short'), { loginId: 'SQ1' });
  for (const text of ['', 'hello', 'https://h/']) assert.throws(() => readQrCode(text), /is not the address/);
});
