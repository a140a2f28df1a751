// The certificates that a device got at its logins. With one, the next login of the same account needs no confirmation.
import type { KeyRecords } from '../key-store/key-records.ts';

export interface Certificates {
  /**
   * Returns the certificate of the account that last logged in with an identifier; without one, that of the account
   * that last logged in at all.
   */
  load(identifier?: string): Promise<string | undefined>;
  /** Keeps the certificate of an account in place of its earlier one. A login by QR code has no identifier. */
  save(mid: string, certificate: string, identifier?: string): Promise<void>;
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
  };
}
