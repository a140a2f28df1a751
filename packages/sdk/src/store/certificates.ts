// The certificates that a device got at its logins. With a certificate, the next login of the same account needs no
// confirmation.
import type { KeyRecords } from '../key-store/key-records.ts';

export interface Certificates {
  /**
   * Returns the certificate of the account that last logged in with this identifier. If no identifier is given, returns
   * that of the account that last logged in.
   */
  load(identifier?: string): Promise<string | undefined>;
  /** Keeps the certificate of an account in place of its earlier one. A login by QR code has no identifier. */
  save(mid: string, certificate: string, identifier?: string): Promise<void>;
  /** Stores the certificate of an account under further identifiers, which the account has from now on. */
  alsoUnder(mid: string, identifiers: readonly string[]): Promise<void>;
  /** Removes the certificate of an account that was deleted. */
  forget(mid: string): Promise<void>;
}

interface Kept {
  /** The account that last logged in. */
  readonly last?: string;
  readonly certificates: Readonly<Record<string, string>>;
  /** The accounts by the identifiers with which they logged in. */
  readonly accounts: Readonly<Record<string, string>>;
}

const NAME = 'login/certificates';

export function certificatesIn(records: Pick<KeyRecords, 'get' | 'put'>): Certificates {
  async function kept(): Promise<Kept> {
    const text = await records.get(NAME);
    return text === undefined ? { certificates: {}, accounts: {} } : JSON.parse(text);
  }
  return {
    async load(identifier) {
      const { last, accounts, certificates } = await kept();
      const mid = identifier === undefined ? last : accounts[identifier];
      return mid === undefined ? undefined : certificates[mid];
    },
    async save(mid, certificate, identifier) {
      const before = await kept();
      const after: Kept = {
        last: mid,
        certificates: { ...before.certificates, [mid]: certificate },
        accounts: { ...before.accounts, ...(identifier !== undefined && { [identifier]: mid }) },
      };
      await records.put(NAME, JSON.stringify(after));
    },
    async alsoUnder(mid, identifiers) {
      const before = await kept();
      const added = Object.fromEntries(identifiers.map((identifier) => [identifier, mid]));
      await records.put(NAME, JSON.stringify({ ...before, accounts: { ...before.accounts, ...added } }));
    },
    async forget(mid) {
      const { last, certificates, accounts } = await kept();
      const others = Object.entries(accounts).filter(([, of]) => of !== mid);
      const { [mid]: _, ...rest } = certificates;
      const after: Kept = {
        ...(last !== undefined && last !== mid && { last }),
        certificates: rest,
        accounts: Object.fromEntries(others),
      };
      await records.put(NAME, JSON.stringify(after));
    },
  };
}
