// Wrong ways to combine the right ingredients. Each was seen as a mistake, or follows from a loose reading of the
// description.
import { createHash, createHmac } from 'node:crypto';
import { hmac, type Ingredients, keyOf, messageOf, sha256 } from './scheme.ts';

export interface Recipe {
  readonly cause: string;
  readonly make: (parts: Ingredients, verb: string) => Buffer;
}

const hex = (bytes: Buffer): string => bytes.toString('hex');
const signed = (key: string | Buffer, parts: Ingredients): Buffer => hmac(key, messageOf(parts));

/** Mistakes in the derivation of the key. */
const ofKey: readonly Recipe[] = [
  {
    cause: 'the hashes are swapped: SHA-256 of the version comes first, then SHA-256 of the access token',
    make: (p) => signed(hmac(p.buildToken, Buffer.concat([sha256(p.accessToken), sha256(p.version)])), p),
  },
  {
    cause: 'the hashes were joined as hex text: the bytes of both hashes are needed',
    make: (p) => signed(hmac(p.buildToken, hex(sha256(p.version)) + hex(sha256(p.accessToken))), p),
  },
  {
    cause: 'the hashes were joined as base64 text: the bytes of both hashes are needed',
    make: (p) =>
      signed(hmac(p.buildToken, sha256(p.version).toString('base64') + sha256(p.accessToken).toString('base64')), p),
  },
  {
    cause: 'version and access token were not hashed',
    make: (p) => signed(hmac(p.buildToken, p.version + p.accessToken), p),
  },
  {
    cause: 'the access token is missing in the key: even the empty token is hashed',
    make: (p) => signed(hmac(p.buildToken, sha256(p.version)), p),
  },
  {
    cause: 'version and access token were hashed together: each is hashed alone',
    make: (p) => signed(hmac(p.buildToken, sha256(p.version + p.accessToken)), p),
  },
  {
    cause: 'the version is missing in the key',
    make: (p) => signed(hmac(p.buildToken, sha256(p.accessToken)), p),
  },
  {
    cause: 'key and data of the first HMAC are swapped: the build token is its key',
    make: (p) => signed(hmac(Buffer.concat([sha256(p.version), sha256(p.accessToken)]), p.buildToken), p),
  },
  {
    cause: 'the key was used as hex text: its bytes are needed',
    make: (p) => signed(hex(keyOf(p)), p),
  },
  {
    cause: 'the key was used as base64 text: its bytes are needed',
    make: (p) => signed(keyOf(p).toString('base64'), p),
  },
  {
    cause: 'the build token itself signed the request: the key is derived from it first',
    make: (p) => signed(p.buildToken, p),
  },
  {
    cause: 'the SHA-256 of the build token was used in place of the build token',
    make: (p) => signed(keyOf({ ...p, buildToken: sha256(p.buildToken) }), p),
  },
];

const between = (parts: Ingredients, separator: string): Buffer =>
  Buffer.concat([parts.path, Buffer.from(separator), parts.body]);

/** Mistakes in what the key signs. */
const ofMessage: readonly Recipe[] = [
  {
    cause: 'body and path are swapped: the path comes first',
    make: (p) => hmac(keyOf(p), Buffer.concat([p.body, p.path])),
  },
  { cause: 'the path is missing: only the body was signed', make: (p) => hmac(keyOf(p), p.body) },
  ...['\n', ' ', '\0', ':', '|', '&'].map((separator) => ({
    cause: `${JSON.stringify(separator)} was signed between path and body: nothing stands between them`,
    make: (p: Ingredients) => hmac(keyOf(p), between(p, separator)),
  })),
  ...['', ' ', '\n', ':'].map((separator) => ({
    cause: 'the verb was signed too: path and body are everything',
    make: (p: Ingredients, verb: string) =>
      hmac(keyOf(p), Buffer.concat([Buffer.from(verb + separator), between(p, separator)])),
  })),
  {
    cause: 'the verb was signed in front of the path: path and body are everything',
    make: (p, verb) => hmac(keyOf(p), Buffer.concat([Buffer.from(verb), messageOf(p)])),
  },
  {
    cause: 'the SHA-256 of the body was signed as hex text: the body itself is signed',
    make: (p) => hmac(keyOf(p), Buffer.concat([p.path, Buffer.from(hex(sha256(p.body)))])),
  },
  {
    cause: 'the SHA-256 of the body was signed: the body itself is signed',
    make: (p) => hmac(keyOf(p), Buffer.concat([p.path, sha256(p.body)])),
  },
  {
    cause: 'SHA-256 of path and body was signed: path and body themselves are signed',
    make: (p) => hmac(keyOf(p), sha256(messageOf(p))),
  },
  {
    cause: 'path and body were signed as base64 text: their bytes are signed',
    make: (p) => hmac(keyOf(p), messageOf(p).toString('base64')),
  },
  {
    cause: 'key and data of the last HMAC are swapped',
    make: (p) => hmac(messageOf(p), keyOf(p)),
  },
  {
    cause: 'SHA-256 over key, path and body was sent: an HMAC is needed',
    make: (p) => createHash('sha256').update(keyOf(p)).update(messageOf(p)).digest(),
  },
  ...['sha1', 'sha384', 'sha512'].map((hash) => ({
    cause: `the last HMAC used ${hash}: SHA-256 is needed`,
    make: (p: Ingredients) => createHmac(hash, keyOf(p)).update(messageOf(p)).digest(),
  })),
];

export const otherRecipes: readonly Recipe[] = [...ofKey, ...ofMessage];
