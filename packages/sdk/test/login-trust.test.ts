// Logins on a lying server. Whatever the server answers, the keys go only to the device in front of the user, or
// nowhere.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { ApiError, type KeyChainHandover, loginTypes, type PendingLogin } from '@sealpost/contract';
import {
  createKeyPair,
  createLoginSecret,
  fromBase64,
  type KeyPair,
  openLoginSecret,
  sealKeyChain,
  toBase64,
  unsealKeyChain,
} from '@sealpost/crypto';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { type LyingProxy, startLyingProxy } from '@sealpost/dev-env/proxies/lying';
import {
  createRpcClient,
  createSealingClient,
  LoginError,
  memoryKeyStore,
  type RpcClient,
  readQrCode,
} from '@sealpost/sdk';

let server: TestServer;
let proxy: LyingProxy;
const clients: RpcClient[] = [];
/** The sealed key chains that reached the server. */
let handedOver: KeyChainHandover[] = [];
/** The PINs that reached the server. */
let toldPins: string[] = [];

before(async () => {
  server = await startServer({ flags: { 'login-confirmation': 'new-device' } });
  proxy = await startLyingProxy(server.url);
});
afterEach(() => {
  proxy.beHonest();
  for (const client of clients.splice(0)) client.close();
});
after(async () => {
  await proxy?.close();
  await server?.close();
});

function aClient(options: Partial<Parameters<typeof createRpcClient>[0]> = {}): RpcClient {
  const client = createRpcClient({ url: proxy.url, ...options });
  clients.push(client);
  return client;
}

/** Returns a user with a logged-in device that has the registered key of the account. */
async function primary(name: string): Promise<TestUser & { device: RpcClient }> {
  const user = await server.user(name);
  const { session } = await user.session();
  assert.ok(session);
  const device = aClient({ session, keyStore: memoryKeyStore() });
  await createSealingClient(device).ownKey();
  handedOver = [];
  toldPins = [];
  const listen = (request: { pinCode?: string; e2ee?: KeyChainHandover }) => {
    if (request.e2ee) handedOver.push(request.e2ee);
    if (request.pinCode) toldPins.push(request.pinCode);
  };
  proxy.lie('PrimaryDeviceService.approveLogin', (honest, request) => {
    listen(request);
    return honest;
  });
  proxy.lie('PrimaryDeviceService.submitPinCode', (honest, request) => {
    listen(request);
    return honest;
  });
  return { ...user, device };
}

interface Screen {
  readonly pinCode: string;
  readonly words: string | undefined;
}

/** Makes a password login on a new device. `act` plays the user, who sees the screen of that device. */
async function passwordLogin(user: TestUser, act: (screen: Screen) => Promise<void>) {
  const keyStore = memoryKeyStore();
  const client = aClient({ keyStore });
  const stop = new AbortController();
  const without: string[] = [];
  const screens: Screen[] = [];
  let failed: unknown;
  const outcome = await client
    .login({
      identifier: user.userid,
      password: user.password,
      signal: stop.signal,
      onWithoutKeys: (reason) => without.push(reason),
      onConfirmationNeeded: (pinCode, words) => {
        screens.push({ pinCode, words });
        act({ pinCode, words }).catch((error: unknown) => {
          failed = error;
          stop.abort();
        });
      },
    })
    .then(
      () => 'in' as const,
      (error: unknown) => error,
    );
  if (failed) throw failed;
  return { outcome, screens, without, client, keys: await keyStore.ownKeys(user.mid) };
}

const waiting = async (device: RpcClient): Promise<PendingLogin> => {
  // A device sees all waiting logins. The last one is the login of this test, because an earlier login that failed may
  // still wait.
  const login = (await device.devices.pending()).at(-1);
  assert.ok(login);
  return login;
};

const isUnsafe = (error: unknown): boolean => error instanceof LoginError && error.kind === 'unsafe';

/**
 * Makes the server say that a login asks for keys. The secret of this login has a key of the server, under a PIN that
 * the server knows.
 */
function lieAboutSecret(key: KeyPair, pinCode: () => string): void {
  proxy.lie('PrimaryDeviceService.getPendingLogins', async (honest) => {
    const secret = await createLoginSecret(pinCode(), key.publicKey);
    return honest.map((login) => ({ ...login, loginType: loginTypes.ID_CREDENTIAL_WITH_E2EE, secret }));
  });
}

test('an honest server: both screens show the same words, the keys come over, and the PIN stays between the devices', async () => {
  const user = await primary('honest');
  const { outcome, keys, without } = await passwordLogin(user, async (screen) => {
    const login = await waiting(user.device);
    const offer = await user.device.devices.offer(login, screen.pinCode);
    assert.equal(offer?.words, screen.words);
    assert.match(offer?.words ?? '', /^([a-z]{5}-){4}[a-z]{5}$/);
    assert.equal(offer?.keyIds.length, 1);
    await user.device.devices.approve(login, screen);
  });
  assert.equal(outcome, 'in');
  assert.deepEqual(keys, await user.device.keyStore.ownKeys(user.mid));
  assert.deepEqual(without, []);
  assert.equal(handedOver.length, 1);
  assert.deepEqual(toldPins, [], 'a server that knew the PIN could ask once more');
});

test('a PIN that the server made for a login with keys is an error and is never shown', async () => {
  const user = await primary('server-pin');
  lieAboutSecret(createKeyPair(), () => '123456');
  proxy.lie('AuthService.loginV2', (honest) => ({ ...honest, pinCode: '123456' }));
  const { outcome, screens, client } = await passwordLogin(user, async () => assert.fail('no screen'));
  assert.ok(isUnsafe(outcome), String(outcome));
  assert.deepEqual(screens, []);
  assert.equal(client.session, undefined);
});

test('a fall-back to a login without keys is told, shows no words, and carries no keys', async () => {
  const user = await primary('fall-back');
  const key = createKeyPair();
  let serverPin = '';
  proxy.lie('AuthService.loginV2', (honest, { type }) => {
    if (type === loginTypes.ID_CREDENTIAL_WITH_E2EE) throw new ApiError('E2EE_SENDER_NOT_ALLOWED', 'not supported');
    serverPin = honest?.pinCode ?? serverPin;
    return honest;
  });
  lieAboutSecret(key, () => serverPin);
  const { outcome, screens, without, keys } = await passwordLogin(user, async ({ pinCode, words }) => {
    assert.equal(pinCode, serverPin);
    const login = await waiting(user.device);
    const offer = await user.device.devices.offer(login, pinCode);
    assert.ok(offer, 'the other device is asked for the keys');
    await assert.rejects(user.device.devices.approve(login, { pinCode }), isUnsafe);
    await assert.rejects(user.device.devices.approve(login, { pinCode, words: words ?? '' }), isUnsafe);
    await user.device.devices.deny(login.loginId);
  });
  assert.ok(outcome instanceof LoginError && outcome.kind === 'refused', String(outcome));
  assert.equal(screens[0]?.words, undefined);
  assert.equal(without.length, 1);
  assert.match(without[0] ?? '', /not supported/);
  assert.deepEqual([handedOver, keys], [[], []]);
});

test('a server that guessed the PIN shows other words on the two screens', async () => {
  const user = await primary('guessed');
  const key = createKeyPair();
  let guessed = '';
  lieAboutSecret(key, () => guessed);
  const { outcome } = await passwordLogin(user, async ({ pinCode, words }) => {
    guessed = pinCode;
    const login = await waiting(user.device);
    const theirs = await openLoginSecret(pinCode, login.secret ?? '');
    assert.deepEqual(theirs, key.publicKey, 'the keys would go to the server');
    const offer = await user.device.devices.offer(login, pinCode);
    assert.notEqual(offer?.words, words);
    await assert.rejects(user.device.devices.approve(login, { pinCode, ...(words && { words }) }), isUnsafe);
    await user.device.devices.deny(login.loginId);
  });
  assert.ok(outcome instanceof LoginError);
  assert.deepEqual(handedOver, []);
});

test('a server that names another key of the account shows other words, and its keys are not taken', async () => {
  const user = await primary('other-account-key');
  proxy.lie('AuthService.loginV2', (honest) =>
    honest.accountKey
      ? { ...honest, accountKey: { ...honest.accountKey, publicKey: toBase64(createKeyPair().publicKey) } }
      : honest,
  );
  const { outcome, keys } = await passwordLogin(user, async ({ pinCode, words }) => {
    const login = await waiting(user.device);
    const offer = await user.device.devices.offer(login, pinCode);
    assert.notEqual(offer?.words, words);
    // This user approves without comparing the words of both devices. The new device still notices the false key of the
    // account.
    await user.device.devices.approve(login, { pinCode, ...(offer && { words: offer.words }) });
  });
  assert.ok(isUnsafe(outcome), String(outcome));
  assert.deepEqual(keys, []);
});

/**
 * Runs a QR login: scans the code and approves the login without keys. When the new device shows the PIN, `act` plays
 * the user, who sees the screen of that device.
 */
async function qrLogin(
  user: TestUser & { device: RpcClient },
  act: (screen: Screen & { url: string }) => Promise<void>,
) {
  const keyStore = memoryKeyStore();
  let url = '';
  for await (const step of aClient({ keyStore }).loginByQr()) {
    if (step.kind === 'qr') {
      url = step.url;
      await user.device.devices.approve(await user.device.devices.scan(url));
    }
    if (step.kind === 'pin') await act({ url, pinCode: step.pinCode, words: step.words });
    if (step.kind === 'done') return { done: step, keys: await keyStore.ownKeys(user.mid) };
  }
  return assert.fail('the login came to no end');
}

test('a QR login hands over the keys with the PIN, when both screens show the same words', async () => {
  const user = await primary('scanner');
  const { done, keys } = await qrLogin(user, async ({ url, ...screen }) => {
    assert.deepEqual(handedOver, [], 'nothing goes before the words were compared');
    assert.equal((await user.device.devices.offer(url))?.words, screen.words);
    await user.device.devices.submitPin(url, screen);
  });
  assert.equal(done.keysProblem, undefined);
  assert.deepEqual(keys, await user.device.keyStore.ownKeys(user.mid));
});

test('an address with a key of the server, as a page could show it, gets no keys', async () => {
  const user = await primary('page');
  const key = createKeyPair();
  const { keys } = await qrLogin(user, async ({ url, pinCode, words }) => {
    const page = await (await fetch(url.replace(proxy.url, server.url))).text();
    assert.ok(!page.includes('secret='), 'the page offers no command with a key');
    const lied = new URL(url);
    lied.searchParams.set('secret', toBase64(key.publicKey));
    assert.notEqual((await user.device.devices.offer(lied.href))?.words, words);
    await assert.rejects(user.device.devices.submitPin(lied.href, { pinCode, ...(words && { words }) }), isUnsafe);
    // Without words, the login is approved, but gets no keys.
    await user.device.devices.submitPin(lied.href, { pinCode });
  });
  assert.deepEqual([handedOver, keys], [[], []]);
});

test('a key that the server writes beside a login is not taken for that in the code', async () => {
  const user = await primary('beside');
  const key = createKeyPair();
  const withKey = (login: PendingLogin): PendingLogin =>
    ({ ...login, publicKey: toBase64(key.publicKey) }) as PendingLogin;
  proxy.lie('PrimaryDeviceService.scanQrCode', withKey);
  proxy.lie('PrimaryDeviceService.getPendingLogins', (honest) => honest.map(withKey));
  await qrLogin(user, async ({ url, ...screen }) => {
    assert.deepEqual(handedOver, []);
    await user.device.devices.submitPin(url, screen);
  });
  assert.equal(handedOver.length, 1);
  const [chain] = handedOver;
  assert.ok(chain);
  const sealed = { publicKey: fromBase64(chain.publicKey), encryptedKeyChain: fromBase64(chain.encryptedKeyChain) };
  await assert.rejects(unsealKeyChain(key.privateKey, sealed));
});

test('keys of its own that the server gives to a new device are not taken', async () => {
  const user = await primary('given');
  let deviceKey = '';
  proxy.lie('SecondaryQrCodeLoginService.qrCodeLoginV2', async (honest) => {
    const chain = [{ ...createKeyPair(), version: 1, keyId: 2_000_000_000, createdTime: 1 }];
    const sealed = await sealKeyChain(chain, fromBase64(deviceKey));
    const metaData = {
      publicKey: toBase64(sealed.publicKey),
      encryptedKeyChain: toBase64(sealed.encryptedKeyChain),
    };
    return { ...honest, metaData };
  });
  const { done, keys } = await qrLogin(user, async ({ url, ...screen }) => {
    // The test plays a server that knows the address in the QR code, because somebody opened it in a browser.
    deviceKey = readQrCode(url).publicKey ?? '';
    await user.device.devices.submitPin(url, screen);
  });
  assert.match(done.keysProblem ?? '', /not those whose words were shown/);
  assert.deepEqual(keys, []);
});
