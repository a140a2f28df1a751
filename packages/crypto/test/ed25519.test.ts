// Signatures are judged alike by WebCrypto and by the library that stands in for it, odd ones as well.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, mock, test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js';
import type { Bytes } from '@sealpost/crypto';
import { verifyEd25519 } from '../src/ed25519.ts';

const { Point } = ed25519;
const { ORDER } = Point.Fn;
const hex = (text: string): Bytes => new Uint8Array(Buffer.from(text, 'hex'));
const join = (...parts: readonly Uint8Array[]): Bytes => new Uint8Array(Buffer.concat(parts));

/** RFC 8032, section 7.1, tests 1 to 3. */
const rfc8032 = [
  {
    key: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    message: '',
    signature:
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  },
  {
    key: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    message: '72',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
  {
    key: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    message: 'af82',
    signature:
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  },
].map(({ key, message, signature }) => ({ key: hex(key), message: hex(message), signature: hex(signature) }));

type Signed = (typeof rfc8032)[number];

const challenge = (r: Bytes, key: Bytes, message: Bytes): bigint =>
  bytesToNumberLE(createHash('sha512').update(r).update(key).update(message).digest()) % ORDER;

/** The points of small order in all forms: the eight, and those that are written with a y above the prime. */
const smallOrder: readonly Bytes[] = (() => {
  const eighth = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
  const points = [Point.ZERO];
  while (points.length < 8) points.push((points.at(-1) ?? Point.ZERO).add(eighth));
  const top = (low: number, high: number) => new Uint8Array(32).fill(0xff).with(0, low).with(31, high);
  const otherForms = [
    ...[0xed, 0xee].flatMap((low) => [top(low, 0x7f), top(low, 0xff)]),
    top(0xec, 0xff),
    new Uint8Array(32).with(0, 1).with(31, 0x80),
  ];
  return [...points.map((point) => new Uint8Array(point.toBytes())), ...otherForms];
})();

/** Signs for a key of small order, without any secret: finds a message for which the key does not matter. */
function forgedFor(key: Bytes): Signed {
  const scalar = 12345n;
  const r = new Uint8Array(Point.BASE.multiply(scalar).toBytes());
  for (let n = 0; ; n++) {
    const message = Uint8Array.of(n, n >> 8);
    if (challenge(r, key, message) % 8n === 0n)
      return { key, message, signature: join(r, numberToBytesLE(scalar, 32)) };
  }
}

/** Signs with a first half of small order, which needs the secret key. Right for every verifier if it is neutral. */
function withFirstHalf(r: Bytes): Signed {
  const secret = new Uint8Array(32).fill(7);
  const { scalar, pointBytes } = ed25519.utils.getExtendedPublicKey(secret);
  const [key, message] = [new Uint8Array(pointBytes), Uint8Array.of(1, 2, 3)];
  const s = (challenge(r, key, message) * scalar) % ORDER;
  return { key, message, signature: join(r, numberToBytesLE(s, 32)) };
}

/** The same signature with the order added to its second half. */
function malleated({ key, message, signature }: Signed): Signed {
  const s = bytesToNumberLE(signature.subarray(32)) + ORDER;
  return { key, message, signature: join(signature.subarray(0, 32), numberToBytesLE(s, 32)) };
}

const refuses = async ({ signature, message, key }: Signed, what: string) =>
  assert.equal(await verifyEd25519(signature, message, key), false, `${what}: ${Buffer.from(key).toString('hex')}`);

const unknownAlgorithm = () => Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'));

for (const engine of ['WebCrypto', 'the library'] as const) {
  describe(`signatures checked by ${engine}`, () => {
    const native = mock.method(crypto.subtle, 'verify');
    before(() => {
      if (engine === 'the library') mock.method(crypto.subtle, 'importKey', unknownAlgorithm);
    });

    test('the vectors of RFC 8032 pass, by the engine that this is about', async () => {
      const earlier = native.mock.callCount();
      for (const { key, message, signature } of rfc8032)
        assert.equal(await verifyEd25519(signature, message, key), true);
      assert.equal(native.mock.callCount() - earlier, engine === 'WebCrypto' ? rfc8032.length : 0);
    });

    test('no other message, signature or key does', async () => {
      for (const signed of rfc8032) {
        await refuses({ ...signed, message: join(signed.message, Uint8Array.of(0)) }, 'message');
        for (const at of [0, 31, 32, 63]) {
          const signature = signed.signature.with(at, (signed.signature[at] ?? 0) ^ 1);
          await refuses({ ...signed, signature }, `byte ${at}`);
        }
        await refuses({ ...signed, signature: signed.signature.slice(1) }, 'shorter');
        await refuses({ ...signed, signature: join(signed.signature, Uint8Array.of(0)) }, 'longer');
        await refuses({ ...signed, key: signed.key.slice(1) }, 'shorter key');
        await refuses({ ...signed, key: new Uint8Array(32).with(0, 2) }, 'a key that is not on the curve');
      }
    });

    test('a second half at or above the order is refused', async () => {
      for (const signed of rfc8032) await refuses(malleated(signed), 'order added');
    });

    test('keys of small order are refused, although the equation holds without a secret', async () => {
      for (const key of smallOrder) await refuses(forgedFor(key), 'key');
    });

    test('first halves of small order are refused', async () => {
      for (const r of smallOrder) await refuses(withFirstHalf(r), 'first half');
    });
  });
}

test('the signatures of these tests fulfil the equation, so that a check without exceptions takes them', () => {
  const lenient = ({ key, message, signature }: Signed) => ed25519.verify(signature, message, key, { zip215: true });
  assert.deepEqual(
    smallOrder.map((point) => [lenient(forgedFor(point)), lenient(withFirstHalf(point))]),
    smallOrder.map(() => [true, true]),
  );
});
