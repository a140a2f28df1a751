// What a logged-in device does for a new device: scan the QR code, approve, submit the PIN, or deny. Every step locks
// the login, so only one of two concurrent decisions succeeds.
import { ApiError, loginTypes } from '@sealpost/contract';
import type { KeyChainHandover, PendingLogin } from '@sealpost/contract/schemas';
import type { Reader, Store, Tx } from '../../platform/store/store.ts';
import type { Sessions, TellDevices } from '../sessions/index.ts';
import { checkHandover } from './key-chain.ts';
import { holdLiving, type RefusesDevices, requireDevicesAllowed } from './new-session.ts';
import { type PendingLogins, refuse, toPendingLogin } from './pending-logins.ts';
import { type PinCodes, wrongPin } from './pin-codes.ts';
import type { LoginRow } from './queries.ts';

/** Who decides about a login: a session of the account, or the operator, who has no session. */
export interface Approver {
  readonly accountId: number;
  readonly sessionId?: number;
}

export interface Approval {
  readonly loginId: string;
  readonly pinCode?: string | undefined;
  readonly e2ee?: KeyChainHandover | undefined;
}

/** Runs after a decision, in the same transaction. */
export type DecisionHook = (tx: Tx, login: PendingLogin) => Promise<void>;

export interface Approvals {
  list(reader: Reader, accountId: number): Promise<PendingLogin[]>;
  scan(by: { accountId: number; sessionId: number }, loginId: string): Promise<PendingLogin>;
  approve(by: Approver, approval: Approval, also?: DecisionHook): Promise<void>;
  submitPin(by: Approver, given: Approval): Promise<void>;
  deny(by: Approver, loginId: string, also?: DecisionHook): Promise<void>;
}

export interface ApprovalDeps {
  readonly store: Store;
  readonly pending: PendingLogins;
  readonly pinCodes: PinCodes;
  readonly tellDevices: TellDevices;
  readonly sessions: Sessions;
  readonly refusesDevices: RefusesDevices;
}

const wrongState = (row: LoginRow): ApiError =>
  new ApiError(
    'INVALID_STATE',
    row.state === 'denied' ? 'the login was refused or used up its tries' : `the login is ${row.state}`,
  );

export function createApprovals(deps: ApprovalDeps): Approvals {
  const { store, pending, pinCodes, tellDevices } = deps;
  /** Locks a login of the account. Throws the same error for another account's login as for an expired one. */
  async function requireOwn(tx: Tx, accountId: number, loginId: string): Promise<LoginRow> {
    const row = await pending.lock(tx, loginId);
    if (!row || row.account_id !== accountId) {
      throw new ApiError('NOT_FOUND', `loginId: no login ${JSON.stringify(loginId.slice(0, 40))} waits`);
    }
    return row;
  }

  const told = (tx: Tx, accountId: number, row: LoginRow, kind: 'pending' | 'approved' | 'denied') =>
    tellDevices(tx, accountId, kind, row.id, toPendingLogin(row));

  /**
   * Compares the PIN and returns an error if the PIN is wrong. The error is not thrown, because that would roll back
   * the count of used tries.
   */
  async function pinError(tx: Tx, accountId: number, row: LoginRow, pinCode: string): Promise<ApiError | undefined> {
    if (pinCodes.matches(row, pinCode)) return undefined;
    await pending.save(tx, row);
    if (row.state === 'denied') await told(tx, accountId, row, 'denied');
    return wrongPin(row);
  }

  /** Runs a step. If the step returns an error for a wrong PIN, throws the error after the commit. */
  async function withPin(
    accountId: number,
    loginId: string,
    work: (tx: Tx) => Promise<ApiError | undefined>,
  ): Promise<void> {
    const login = await store.read((reader) => pending.find(reader, loginId));
    // The step compares no PIN for another account's login or for a denied one, so nothing is counted. The step itself
    // throws an error that tells the reason.
    if (login?.account_id !== accountId || login.state === 'denied') return void (await store.transact(work));
    const counted = await pinCodes.count(accountId);
    let wrong: ApiError | undefined;
    try {
      wrong = await store.transact(work);
    } finally {
      if (!wrong) await counted.takeBack();
    }
    if (wrong) throw wrong;
  }

  return {
    async list(reader, accountId) {
      return (await pending.ofAccount(reader, accountId)).map(toPendingLogin);
    },

    scan: ({ accountId, sessionId }, loginId) =>
      store.transact(async (tx) => {
        const row = await pending.lock(tx, loginId);
        if (row?.kind !== 'QR' || row.state === 'created') {
          throw new ApiError('NOT_FOUND', 'loginId: no QR code with this id waits; it may have expired');
        }
        if (row.state === 'scanned' && row.scanner_session_id === sessionId) return toPendingLogin(row);
        if (row.state !== 'waiting') throw new ApiError('INVALID_STATE', 'the QR code was scanned already');
        await pending.requireRoom(tx, accountId);
        const account = await holdLiving(tx, accountId);
        if (!account) throw new ApiError('NOT_FOUND', 'the account is gone');
        await requireDevicesAllowed(tx, deps, accountId);
        const scanned: LoginRow = {
          ...row,
          state: 'scanned',
          account_id: accountId,
          credential_digest: account.credentialDigest,
          scanner_session_id: sessionId,
        };
        await pending.save(tx, scanned);
        await told(tx, accountId, scanned, 'pending');
        return toPendingLogin(scanned);
      }),

    approve: ({ accountId, sessionId }, { loginId, pinCode = '', e2ee }, also) => {
      const work = async (tx: Tx): Promise<ApiError | undefined> => {
        const row = await requireOwn(tx, accountId, loginId);
        if (row.state !== (row.kind === 'QR' ? 'scanned' : 'waiting')) throw wrongState(row);
        if (row.login_type === loginTypes.ID_CREDENTIAL) {
          if (e2ee) throw new ApiError('ILLEGAL_ARGUMENT', 'e2ee: this device did not ask for keys');
          if (pinCode === '') {
            throw new ApiError('INVALID_PIN_CODE', 'pinCode is missing: it is shown on the new device');
          }
          const error = await pinError(tx, accountId, row, pinCode);
          if (error) return error;
        }
        // An approval by the operator hands over no keys, because the operator has none.
        if (row.login_type === loginTypes.ID_CREDENTIAL_WITH_E2EE && !e2ee && sessionId !== undefined) {
          throw new ApiError('ILLEGAL_ARGUMENT', 'e2ee is missing: this device asks for the key chain');
        }
        const approved: LoginRow = {
          ...pending.renewed(row),
          state: 'approved',
          handover: e2ee ? checkHandover(e2ee) : null,
        };
        if (row.kind === 'CREDENTIAL') approved.pin_mac = null;
        await pending.save(tx, approved);
        await told(tx, accountId, approved, 'approved');
        await also?.(tx, toPendingLogin(approved));
        return undefined;
      };
      return pinCode === '' ? store.transact(work).then(() => {}) : withPin(accountId, loginId, work);
    },

    submitPin: ({ accountId }, { loginId, pinCode = '', e2ee }) =>
      withPin(accountId, loginId, async (tx) => {
        const row = await requireOwn(tx, accountId, loginId);
        if (row.state !== 'approved' || row.pin_mac === null) throw wrongState(row);
        const error = await pinError(tx, accountId, row, pinCode);
        if (error) return error;
        const handover = e2ee ? checkHandover(e2ee) : row.handover;
        await pending.save(tx, { ...pending.renewed(row), state: 'verified', pin_mac: null, handover });
        return undefined;
      }),

    deny: ({ accountId }, loginId, also) =>
      store.transact(async (tx) => {
        const row = await requireOwn(tx, accountId, loginId);
        if (row.state === 'denied') throw wrongState(row);
        refuse(row);
        await pending.save(tx, row);
        await told(tx, accountId, row, 'denied');
        await also?.(tx, toPendingLogin(row));
      }),
  };
}
