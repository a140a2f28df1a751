// Logins of devices that wait for confirmation. All facts about such a login are in its row in the store, so any server
// can continue a login that another server began. Every step locks the row, so two concurrent steps cannot both
// succeed.

import { ApiError, limits } from '@sealpost/contract';
import type { Clock, Random } from '@sealpost/contract/ports';
import type { PendingLogin } from '@sealpost/contract/schemas';
import { randomHex } from '../../platform/kernel/random-text.ts';
import { RateExceeded } from '../../platform/rpc/rate-exceeded.ts';
import type { Reader, Tx } from '../../platform/store/store.ts';
import type { LoginWaiters } from './login-waiters.ts';
import {
  deleteExpiredLogins,
  deleteLogin,
  insertLogin,
  type LoginRow,
  lockLogin,
  lockOwnLogin,
  loginById,
  loginsOfAccount,
  ownLogin,
  saveLogin,
} from './queries.ts';

/** The facts about a login that are known when it begins. */
export type NewLogin = Pick<
  LoginRow,
  'kind' | 'login_type' | 'state' | 'system_name' | 'model_name' | 'remote_address'
> &
  Partial<Pick<LoginRow, 'account_id' | 'credential_digest' | 'secret'>> & {
    /** Returns the MAC of the PIN for a login id, if the server created a PIN. */
    readonly pinMac?: (loginId: string) => string;
  };

export interface PendingLogins {
  begin(tx: Tx, login: NewLogin): Promise<LoginRow>;
  /** Returns the login; undefined if it has expired or does not exist. `lock` does the same and locks the row. */
  find(reader: Reader, id: string): Promise<LoginRow | undefined>;
  lock(tx: Tx, id: string): Promise<LoginRow | undefined>;
  /** Returns the login if it is one of the account; otherwise undefined. `lockOwn` does the same and locks the row. */
  findOwn(reader: Reader, accountId: number, id: string): Promise<LoginRow | undefined>;
  lockOwn(tx: Tx, accountId: number, id: string): Promise<LoginRow | undefined>;
  /** Returns the login with a new expiry time, so that the next step has the full lifetime again. */
  renewed(row: LoginRow): LoginRow;
  /** Stores the changed login, and wakes its polls after the commit. */
  save(tx: Tx, row: LoginRow): Promise<void>;
  /** Removes a finished login. */
  finish(tx: Tx, id: string): Promise<void>;
  /** Returns the account's logins that are neither denied nor expired, oldest first. */
  ofAccount(reader: Reader, accountId: number): Promise<LoginRow[]>;
  /**
   * Throws if too many logins of the account are waiting.
   * @throws EXCESSIVE_ACCESS
   */
  requireRoom(tx: Tx, accountId: number): Promise<void>;
  sweep(tx: Tx): Promise<void>;
}

const PREFIX = { QR: 'SQ', CREDENTIAL: 'CL' } as const;
const ID_BYTES = 16;
const ID = /^(SQ|CL)[0-9a-f]{32}$/;

export interface PendingLoginDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly waiters: LoginWaiters;
}

export function createPendingLogins({ clock, random, waiters }: PendingLoginDeps): PendingLogins {
  const living = (row: LoginRow | undefined): LoginRow | undefined =>
    row && row.expires_time > clock.now() ? row : undefined;
  const ofAccount = (reader: Reader, accountId: number) => reader.all(loginsOfAccount, accountId, clock.now());

  return {
    async begin(tx, login) {
      const id = PREFIX[login.kind] + randomHex(random, ID_BYTES);
      const now = clock.now();
      await tx.run(
        insertLogin,
        id,
        login.kind,
        login.login_type,
        login.state,
        login.account_id ?? null,
        login.credential_digest ?? null,
        login.system_name,
        login.model_name,
        login.remote_address,
        login.secret ?? null,
        login.pinMac?.(id) ?? null,
        now,
        now + limits.loginLifeMs.value,
      );
      const row = await tx.one(loginById, id);
      if (!row) throw new Error('the login that was just stored is not there');
      return row;
    },
    find: async (reader, id) => (ID.test(id) ? living(await reader.one(loginById, id)) : undefined),
    lock: async (tx, id) => (ID.test(id) ? living(await tx.one(lockLogin, id)) : undefined),
    findOwn: async (reader, accountId, id) =>
      ID.test(id) ? living(await reader.one(ownLogin, id, accountId)) : undefined,
    lockOwn: async (tx, accountId, id) => (ID.test(id) ? living(await tx.one(lockOwnLogin, id, accountId)) : undefined),
    renewed: (row) => ({ ...row, expires_time: clock.now() + limits.loginLifeMs.value }),
    async save(tx, row) {
      await tx.run(
        saveLogin,
        row.state,
        row.account_id,
        row.credential_digest,
        row.scanner_session_id,
        row.qr_checked,
        row.certificate_shown,
        row.certificate_class,
        row.pin_mac,
        row.pin_checked,
        row.tries,
        row.handover,
        row.confirmed_with,
        row.expires_time,
        row.id,
      );
      tx.onCommit(() => waiters.wake(row.id));
    },
    async finish(tx, id) {
      await tx.run(deleteLogin, id);
      tx.onCommit(() => waiters.wake(id));
    },
    ofAccount,
    async requireRoom(tx, accountId) {
      const pending = await ofAccount(tx, accountId);
      if (pending.length < limits.pendingLogins.value) return;
      throw new RateExceeded(
        `${pending.length} devices wait to be let into this account already`,
        Math.max(1, Math.min(...pending.map((row) => row.expires_time)) - clock.now()),
      );
    },
    sweep: (tx) => tx.run(deleteExpiredLogins, clock.now()),
  };
}

/** Marks the login as denied, so that it admits nobody and its polls end. The caller saves the row. */
export function refuse(row: LoginRow): void {
  Object.assign(row, { state: 'denied', handover: null, pin_mac: null } satisfies Partial<LoginRow>);
}

export function toPendingLogin(row: LoginRow): PendingLogin {
  if (row.state === 'created') throw new ApiError('NOT_FOUND', 'the login has no QR code yet');
  return {
    loginId: row.id,
    kind: row.kind,
    loginType: row.login_type as PendingLogin['loginType'],
    systemName: row.system_name,
    modelName: row.model_name,
    remoteAddress: row.remote_address,
    requestedTime: String(row.created_time),
    expiresTime: String(row.expires_time),
    state: row.state,
    ...(row.secret === null ? {} : { secret: row.secret }),
  };
}
