// Counts failed logins per account, per address, and per pair of account and address. Successful logins do not count.
import type { FailureLimits } from '@sealpost/contract';
import { addressBlock } from '../../platform/kernel/address-block.ts';
import { type Attempt, createAttemptLimit } from './attempt-limit.ts';
import type { AttemptStore } from './attempt-store.ts';

export interface LoginAttempt {
  /**
   * Key under which failures are counted. It is the same for all identifiers of an account. Each unknown identifier has
   * its own key.
   */
  readonly who: string;
  readonly address: string;
  /**
   * Digest of the device's certificate; undefined if the account does not know the device. Failures of known devices
   * are counted separately. So strangers who guess passwords cannot lock the owner out, even if they use the owner's
   * address.
   */
  readonly device: string | undefined;
}

export interface Failures {
  /** Throws EXCESSIVE_ACCESS after too many failures. */
  check(attempt: LoginAttempt): Promise<void>;
  /**
   * Counts a failure. Throws like `check` if there are too many. The caller takes the failure back if the login
   * succeeds.
   */
  count(attempt: LoginAttempt): Promise<Attempt>;
}

const REASON = 'Too many login attempts';

export function createFailures(attempts: AttemptStore, limits: FailureLimits): Failures {
  const limit = (name: keyof FailureLimits) => createAttemptLimit(attempts, name, limits[name], REASON);
  const perAccount = limit('loginPerAccount');
  const perPair = limit('loginPerPair');
  const perAddress = limit('loginPerAddress');

  const each = ({ who, address, device }: LoginAttempt) => {
    const block = addressBlock(address);
    const account = device === undefined ? who : `${who} on ${device}`;
    const ofAccount = [
      [perAccount, account],
      [perPair, `${account} at ${block}`],
    ] as const;
    return device === undefined ? [...ofAccount, [perAddress, block] as const] : ofAccount;
  };

  return {
    async check(attempt) {
      await Promise.all(each(attempt).map(([limit, key]) => limit.check(key)));
    },
    async count(attempt) {
      const taken = await Promise.all(each(attempt).map(([limit, key]) => limit.take(key)));
      return {
        nth: (taken[0] as Attempt).nth,
        takeBack: async () => void (await Promise.all(taken.map((one) => one.takeBack()))),
      };
    },
  };
}
