// The key pair with which this server signs its requests to push services (RFC 8292). If the operator sets no key, the
// pair is derived from a secret in the database. So all servers of the database have the same pair.
import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { Clock } from '@sealpost/contract/ports';

const CURVE = 'prime256v1';
const HALF_DAY_SEC = 12 * 3600;
const POINT_BYTES = 65;
const NUMBER_BYTES = 32;

export interface PushKeys {
  /** The public key in base64url. */
  readonly publicKey: string;
  /** Returns the header Authorization, which proves to a push service that the request comes from this server. */
  authorizationFor(endpoint: string): string;
}

/**
 * Creates the key pair.
 * @param secret a private key of P-256, 32 bytes
 * @param contact an address at which a push service reaches the operator
 * @throws Error if the secret is not a private key
 */
export function createPushKeys(secret: Buffer, contact: string, clock: Clock): PushKeys {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(secret);
  const point = pair.getPublicKey();
  const publicKey = point.toString('base64url');
  const privateKey = privateKeyOf(secret, point);
  return {
    publicKey,
    authorizationFor(endpoint) {
      const claims = {
        aud: new URL(endpoint).origin,
        exp: Math.floor(clock.now() / 1000) + HALF_DAY_SEC,
        sub: contact,
      };
      const text = [{ typ: 'JWT', alg: 'ES256' }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `vapid t=${text}.${signature.toString('base64url')}, k=${publicKey}`;
    },
  };
}

/** Returns the private key that the server uses if the operator has set none. `key` derives a secret for a purpose. */
export function privateKeyFrom(key: (purpose: string) => Buffer): Buffer {
  // About one number in 2^32 is too large for the curve. Then the next number is tried.
  for (let attempt = 1; ; attempt++) {
    const secret = key(`push ${attempt}`);
    if (isPrivateKey(secret)) return secret;
  }
}

/** Returns whether the bytes are a private key of P-256. */
export function isPrivateKey(secret: Buffer): boolean {
  if (secret.length !== NUMBER_BYTES) return false;
  try {
    createECDH(CURVE).setPrivateKey(secret);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether the bytes are a public key of P-256 in the form in which browsers send it. */
export function isPublicKey(point: Buffer): boolean {
  if (point.length !== POINT_BYTES) return false;
  const pair = createECDH(CURVE);
  pair.generateKeys();
  try {
    pair.computeSecret(point);
    return true;
  } catch {
    return false;
  }
}

function privateKeyOf(secret: Buffer, point: Buffer): KeyObject {
  const coordinate = (from: number) => point.subarray(from, from + NUMBER_BYTES).toString('base64url');
  const key = {
    kty: 'EC',
    crv: 'P-256',
    x: coordinate(1),
    y: coordinate(1 + NUMBER_BYTES),
    d: secret.toString('base64url'),
  };
  return createPrivateKey({ key, format: 'jwk' });
}
