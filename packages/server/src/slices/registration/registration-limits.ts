// Counts the accounts that were opened without an invite, per address and on the whole server, within a day.
import { addressBlock } from '../../platform/kernel/address-block.ts';
import { RateExceeded } from '../../platform/rpc/rate-exceeded.ts';
import type { Reader, Tx } from '../../platform/store/store.ts';
import type { AttemptStore } from '../login/index.ts';

const DAY_MS = 86_400_000;

export interface RegistrationLimits {
  /**
   * Throws if a registration from this address is not allowed now; counts nothing.
   * @throws EXCESSIVE_ACCESS
   */
  check(reader: Reader, address: string): Promise<void>;
  /**
   * Counts a registration. The count is part of the transaction, so a registration that fails does not count.
   * @throws EXCESSIVE_ACCESS
   */
  count(tx: Tx, address: string): Promise<void>;
}

/**
 * @param perAddress maximum number of accounts that one address may open within a day after its first
 * @param perDay maximum number of accounts that all addresses together may open within a day after the first
 */
export function createRegistrationLimits(
  attempts: Pick<AttemptStore, 'find' | 'countIn'>,
  { perAddress, perDay }: { readonly perAddress: number; readonly perDay: number },
): RegistrationLimits {
  // The limit of the address comes first. So an address with many registrations waits for the lock on its own row, and
  // does not lock the row that all addresses share.
  const limitsOf = (address: string) => [
    { key: `registrations of ${addressBlock(address)}`, most: perAddress, whose: 'your address' },
    { key: 'registrations of all', most: perDay, whose: 'this server' },
  ];
  const exceeded = (whose: string, most: number, waitMs: number) =>
    new RateExceeded(`${most} accounts were opened from ${whose} within a day, and no more may be`, waitMs);
  return {
    async check(reader, address) {
      for (const { key, most, whose } of limitsOf(address)) {
        const counted = await attempts.find(reader, key);
        if (counted && counted.points >= most) throw exceeded(whose, most, counted.leftMs);
      }
    },
    async count(tx, address) {
      for (const { key, most, whose } of limitsOf(address)) {
        const { points, leftMs } = await attempts.countIn(tx, key, DAY_MS);
        if (points > most) throw exceeded(whose, most, leftMs);
      }
    },
  };
}
