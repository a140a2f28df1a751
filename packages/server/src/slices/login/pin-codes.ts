// PINs of logins: six digits that one device shows and the user types on the other. Only a MAC of a PIN is stored. A
// wrong PIN uses up a try in the transaction that compares it, so concurrent guesses get no extra tries.
import { ApiError, type FailureLimit, limits } from '@sealpost/contract';
import { drawBelow, type Random } from '@sealpost/contract/ports';
import { hmac, sameText } from '../../platform/kernel/digest.ts';
import type { ServerSecret } from '../sessions/index.ts';
import { type Attempt, createAttemptLimit } from './attempt-limit.ts';
import type { AttemptStore } from './attempt-store.ts';
import { refuse } from './pending-logins.ts';
import type { LoginRow } from './queries.ts';

const DIGITS = 6;
const PINS = 10 ** DIGITS;

export interface PinCodes {
  make(): string;
  /** Returns the MAC that is stored instead of the PIN. */
  mac(loginId: string, pinCode: string): string;
  /**
   * Returns whether the PIN is right. A wrong PIN uses up one of the login's tries. After the last try, the login is
   * denied.
   */
  matches(row: LoginRow, pinCode: string): boolean;
  /**
   * Counts a wrong PIN against the limit that all logins of the account share. The caller takes the count back if the
   * PIN is right.
   * @throws EXCESSIVE_ACCESS if the limit is reached
   */
  count(accountId: number): Promise<Attempt>;
}

export function createPinCodes(
  secret: ServerSecret,
  random: Random,
  attempts: AttemptStore,
  limit: Omit<FailureLimit, 'doc'>,
): PinCodes {
  const key = secret.key('login pin');
  const failures = createAttemptLimit(attempts, 'pinPerAccount', limit, 'too many wrong PINs');
  const mac = (loginId: string, pinCode: string): string => hmac(key, `${loginId} ${pinCode}`).toString('base64url');
  return {
    make: () => String(drawBelow(random, PINS)).padStart(DIGITS, '0'),
    mac,
    matches(row, pinCode) {
      if (row.pin_mac !== null && sameText(row.pin_mac, mac(row.id, pinCode.trim()))) return true;
      useTry(row);
      return false;
    },
    async count(accountId) {
      const key = String(accountId);
      await failures.check(key);
      return failures.take(key);
    },
  };
}

/** Counts a wrong PIN or proof; after the last try, the login is denied. */
export function useTry(row: LoginRow): void {
  row.tries += 1;
  if (row.tries >= limits.loginTries.value) refuse(row);
}

export const wrongPin = (row: LoginRow): ApiError =>
  new ApiError(
    'INVALID_PIN_CODE',
    row.state === 'denied'
      ? 'invalid pin code; that was the last try, the login is over'
      : `invalid pin code; ${limits.loginTries.value - row.tries} tries are left`,
  );
