// Failed logins are counted per account, per address and per pair of both. Successful ones do not count.
import type { FailureLimits } from '@sealpost/contract';
import { addressBlock } from '../../platform/kernel/address-block.ts';
import { type Attempt, createAttemptLimit } from './attempt-limit.ts';
import type { AttemptStore } from './attempt-store.ts';

export interface LoginAttempt {
  /** The same account under any of its identifiers. */
  readonly who: string;
  readonly address: string;
  /**
   * A device that the account knows, named here, is counted apart: strangers who guess the password cannot keep its
   * owner out, not even from the same address.
   */
  readonly device: string | undefined;
}

export interface Failures {
  /** Throws EXCESSIVE_ACCESS when there were too many. */
  check(attempt: LoginAttempt): Promise<void>;
  /** As `check`, and counts a failure of the account until it is taken back. */
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
