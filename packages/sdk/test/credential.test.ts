import assert from 'node:assert/strict';
import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { test } from 'node:test';
import { encryptCredential } from '../src/login/credential.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwk = publicKey.export({ format: 'jwk' });
const hexOf = (base64url: string | undefined) => Buffer.from(base64url ?? '', 'base64url').toString('hex');
const key = { nvalue: hexOf(jwk.n), evalue: hexOf(jwk.e), sessionKey: 'sess-1234' };

const decrypt = (hex: string) =>
  privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(hex, 'hex'));

test('a credential opens with the private key as three length-prefixed parts', () => {
  const hex = encryptCredential(key, 'alice', 'pässword');
  assert.equal(hex.length, 512);
  assert.match(hex, /^[0-9a-f]+$/);
  assert.equal(decrypt(hex).toString(), '\u0009sess-1234\u0005alice\u0009pässword');
});

test('the padding is fresh each time, and every ciphertext has the length of the modulus', () => {
  const seen = new Set(Array.from({ length: 300 }, () => encryptCredential(key, 'a', 'b')));
  assert.equal(seen.size, 300);
  for (const hex of seen) assert.equal(decrypt(hex).toString(), '\u0009sess-1234\u0001a\u0001b');
});

test('a part that does not fit is refused by name, before anything is sent', () => {
  assert.throws(
    () => encryptCredential(key, 'a'.repeat(256), 'b'),
    /identifier has 256 bytes; a login takes at most 255/,
  );
  assert.throws(() => encryptCredential(key, 'a', 'b'.repeat(250)), /too long together for the server's 2048-bit key/);
});
