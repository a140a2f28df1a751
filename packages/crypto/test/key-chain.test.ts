import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  createKeyPair,
  createLoginSecret,
  createPin,
  decodeKeyChain,
  deviceSecret,
  encodeKeyChain,
  fromBase64,
  type KeyChainEntry,
  keyChainHash,
  keyPairOf,
  OpenError,
  openLoginSecret,
  publicKeyOf,
  sealKeyChain,
  sharedSecret,
  toBase64,
  unsealKeyChain,
} from '@sealpost/crypto';
import { fc } from '@sealpost/dev-env/chance';
import { runProgram, withPython } from './independent-program.ts';

interface Vectors {
  loginSecrets: Record<'pin' | 'privateKey' | 'publicKey' | 'secret' | 'chainedSecret', string>[];
  sealedKeyChains: (Record<
    | 'name'
    | 'devicePrivateKey'
    | 'devicePublicKey'
    | 'sealerPrivateKey'
    | 'sealerPublicKey'
    | 'sharedSecret'
    | 'keyChain'
    | 'encryptedKeyChain'
    | 'keyChainHash'
    | 'deviceSecret',
    string
  > & {
    entries: { version: number; keyId: number; publicKey: string; privateKey: string; createdTime: number }[];
  })[];
}

const root = new URL('../../../', import.meta.url);
const vectors = JSON.parse(readFileSync(new URL('docs/key-chain-vectors.json', root), 'utf8')) as Vectors;

for (const v of vectors.loginSecrets) {
  test(`the login secret of PIN ${v.pin} is that of the vector, and both forms open`, async () => {
    assert.equal(toBase64(publicKeyOf(fromBase64(v.privateKey))), v.publicKey);
    assert.equal(await createLoginSecret(v.pin, fromBase64(v.publicKey)), v.secret);
    assert.equal(toBase64(await openLoginSecret(v.pin, v.secret)), v.publicKey);
  });
}

test('a chained secret opens whenever the separate form gives no public key', async () => {
  const opened = await Promise.all(
    vectors.loginSecrets.map(async (v) => toBase64(await openLoginSecret(v.pin, v.chainedSecret)) === v.publicKey),
  );
  assert.ok(opened.includes(true));
});

for (const v of vectors.sealedKeyChains) {
  const entries: KeyChainEntry[] = v.entries.map((entry) => ({
    ...entry,
    publicKey: fromBase64(entry.publicKey),
    privateKey: fromBase64(entry.privateKey),
  }));
  const sealed = { publicKey: fromBase64(v.sealerPublicKey), encryptedKeyChain: fromBase64(v.encryptedKeyChain) };
  const device = keyPairOf(fromBase64(v.devicePrivateKey));

  test(`the key chain of the vector is sealed to the same bytes and opened again: ${v.name}`, async () => {
    assert.equal(toBase64(sharedSecret(device.privateKey, sealed.publicKey)), v.sharedSecret);
    assert.equal(toBase64(encodeKeyChain(entries.toReversed())), v.keyChain);
    const made = await sealKeyChain(entries, device.publicKey, keyPairOf(fromBase64(v.sealerPrivateKey)));
    assert.equal(toBase64(made.publicKey), v.sealerPublicKey);
    assert.equal(toBase64(made.encryptedKeyChain), v.encryptedKeyChain);
    assert.equal(toBase64(made.deviceSecret), v.deviceSecret, 'both sides know the proof');
    assert.deepEqual(await unsealKeyChain(device.privateKey, sealed), entries);
  });

  test(`the device secret is that of the vector: ${v.name}`, async () => {
    assert.equal(toBase64(await keyChainHash(sealed.encryptedKeyChain)), v.keyChainHash);
    assert.equal(toBase64(await deviceSecret(device.privateKey, sealed)), v.deviceSecret);
  });
}

const entryOf = (keyId: number): KeyChainEntry => ({ ...createKeyPair(), version: 1, keyId, createdTime: 1 });

test('what is sealed for one device opens for no other, and no changed byte passes', async () => {
  const device = createKeyPair();
  const sealed = await sealKeyChain([entryOf(7)], device.publicKey);
  await assert.rejects(unsealKeyChain(createKeyPair().privateKey, sealed));
  const changed = sealed.encryptedKeyChain.slice();
  changed[20] = (changed[20] ?? 0) ^ 1;
  await assert.rejects(unsealKeyChain(device.privateKey, { ...sealed, encryptedKeyChain: changed }));
});

test('a key pair whose halves do not belong together is refused', () => {
  const strange = { ...entryOf(1), publicKey: createKeyPair().publicKey };
  assert.throws(() => decodeKeyChain(encodeKeyChain([strange])), /does not belong/);
});

test('bytes behind the key chain and fields of later versions are ignored', () => {
  const entry = entryOf(5);
  const plain = encodeKeyChain([entry]);
  const padded = Uint8Array.from([...plain, 4, 4, 4, 4]);
  assert.deepEqual(decodeKeyChain(padded), [entry]);
  // The bytes of four fields after the list of keys. Field 2 is true, field 3 a list of two i16, field 4 a map from i32
  // to binary, field 5 a struct.
  const later = [0x11, 0x19, 0x24, 1, 2, 0x1b, 1, 0x58, 2, 1, 9, 0x1c, 0x15, 3, 0, 0];
  assert.deepEqual(decodeKeyChain(Uint8Array.from([...plain.slice(0, -1), ...later])), [entry]);
});

test('bytes of any kind are decoded or refused, and never hang', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        decodeKeyChain(bytes);
      } catch (error) {
        assert.ok(error instanceof RangeError, String(error));
      }
    }),
    { numRuns: 2000 },
  );
});

test('a field that nobody knows is skipped unless it is nested too deep', () => {
  const entry = entryOf(5);
  const plain = encodeKeyChain([entry]);
  // Returns bytes that stand after the list of keys: field 2, a struct that contains structs down to this depth.
  const nested = (depth: number) => [
    0x1c,
    ...new Array<number>(depth - 1).fill(0x1c),
    ...new Array<number>(depth).fill(0),
  ];
  const chain = (depth: number) => Uint8Array.from([...plain.slice(0, -1), ...nested(depth), 0]);
  assert.deepEqual(decodeKeyChain(chain(16)), [entry]);
  assert.throws(() => decodeKeyChain(chain(20)), /nested too deep/);
});

test('public keys that make the secret known to everybody are refused', () => {
  assert.throws(() => sharedSecret(createKeyPair().privateKey, new Uint8Array(32)));
});

test('a PIN has six digits, and a secret opens with its PIN only', async () => {
  for (let n = 0; n < 200; n++) assert.match(createPin(), /^\d{6}$/);
  let refused = 0;
  // One secret in two takes a key from every PIN; the other refuses every second PIN.
  while (refused === 0) {
    const { publicKey } = createKeyPair();
    const secret = await createLoginSecret('123456', publicKey);
    assert.deepEqual(await openLoginSecret('123456', secret), publicKey);
    const wrong = await openLoginSecret('123457', secret).catch((error) => error);
    assert.notDeepEqual(wrong, publicKey);
    if (!(wrong instanceof Error)) continue;
    assert.ok(wrong instanceof OpenError && wrong.reason === 'tampered', String(wrong));
    refused += 1;
  }
});

test('the published vectors are what the independent program makes', withPython, () => {
  runProgram('key-chain-vectors.py', '--check');
});
