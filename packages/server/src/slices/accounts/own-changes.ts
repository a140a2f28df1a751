// The changes that an account makes to itself. Each function is a step of a transaction that has locked the account.
import { ApiError } from '@sealpost/contract';
import type { Reader, Tx } from '../../platform/store/store.ts';
import type { IdentifierChanges } from './account-input.ts';
import { type Credential, toCredential } from './credential.ts';
import {
  credentialById,
  type HeldRow,
  holdLivingAccount,
  lockAccount,
  setIdentifiers,
  setPasswordHash,
} from './queries.ts';
import { refuseTaken } from './taken.ts';

export type HeldAccount = Pick<HeldRow, 'id' | 'mid' | 'kind' | 'userid' | 'email' | 'phone'>;
/** All identifiers of an account; null for an identifier that the account does not have. */
export type Identifiers = Pick<HeldRow, 'userid' | 'email' | 'phone'>;

export interface OwnChanges {
  /** Returns the credential of an account; undefined if it was deleted. */
  credentialOf(reader: Reader, id: number): Promise<Credential | undefined>;
  /**
   * Locks an account whose password was verified, until the transaction ends.
   * @throws SESSION_LOGGED_OUT if the account was deleted or disabled since
   * @throws INVALID_IDENTITY_CREDENTIAL if its password was changed since
   */
  hold(tx: Tx, proven: Pick<Credential, 'id' | 'passwordHash'>): Promise<HeldAccount>;
  setPassword(tx: Tx, id: number, passwordHash: string): Promise<void>;
  /**
   * Changes identifiers of an account that `tx` has locked. Returns all identifiers of the account.
   * @throws AccountConflict if another account has one of them
   */
  identify(tx: Tx, account: HeldAccount, changes: IdentifierChanges): Promise<Identifiers>;
}

/**
 * Keeps the account of a call from being deleted until the transaction ends. Comes before all other locks, because a
 * deletion locks the account first. A call that appends to the account's own log does not need it.
 * @throws SESSION_LOGGED_OUT if the account was deleted
 */
export async function holdLiving(tx: Tx, accountId: number): Promise<void> {
  if (!(await tx.one(holdLivingAccount, accountId))) throw new ApiError('SESSION_LOGGED_OUT');
}

export const createOwnChanges = (): OwnChanges => ({
  credentialOf: async (reader, id) => toCredential(await reader.one(credentialById, id)),
  async hold(tx, { id, passwordHash }) {
    const row = await tx.one(lockAccount, id);
    if (!row || row.deleted || row.disabled) throw new ApiError('SESSION_LOGGED_OUT');
    if (row.password_hash !== passwordHash) {
      throw new ApiError('INVALID_IDENTITY_CREDENTIAL', 'the password was changed at the same moment');
    }
    return row;
  },
  setPassword: (tx, id, passwordHash) => tx.run(setPasswordHash, passwordHash, id),
  async identify(tx, account, changes) {
    await refuseTaken(tx, changes, account.id);
    const { userid, email, phone } = { ...account, ...changes };
    await tx.run(setIdentifiers, userid, email, phone, account.id);
    return { userid, email, phone };
  },
});
