// Codes of authenticator apps (RFC 6238): six digits that change every 30 seconds.
import type { Random } from '@sealpost/contract/ports';
import { Secret, TOTP } from 'otpauth';

const SECRET_BYTES = 20;
const PERIOD_SEC = 30;
/** Number of codes before and after the current one that are accepted, because clocks differ. */
const WINDOW = 1;

/**
 * Returns a new secret in base32. The bytes are copied, because the library would otherwise read the whole memory block
 * that the Buffer is part of.
 */
export const newTotpSecret = (random: Random): string =>
  new Secret({ buffer: Uint8Array.from(random.bytes(SECRET_BYTES)).buffer }).base32;

const totpOf = (secret: string, host: string, name: string): TOTP =>
  new TOTP({ issuer: `Sealpost ${host}`, label: name, secret: Secret.fromBase32(secret), period: PERIOD_SEC });

/** Returns the address that an app reads from a QR code. */
export const totpUri = (secret: string, host: string, name: string): string => totpOf(secret, host, name).toString();

/** Returns the time step to which a code belongs; undefined if the code is wrong or too old. */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  const delta = totpOf(secret, '', '').validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_SEC) + delta;
}
