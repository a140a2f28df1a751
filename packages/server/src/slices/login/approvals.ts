// The steps that a logged-in device does for a new device: scan the QR code, approve, submit the PIN, or deny. Every
// step locks the row of the login, so only one of two concurrent decisions succeeds.
import { ApiError, loginTypes } from '@sealpost/contract';
import type { KeyChainHandover, PendingLogin } from '@sealpost/contract/schemas';
import type { Reader, Store, Tx } from '../../platform/store/store.ts';
import type { Sessions, TellDevices } from '../sessions/index.ts';
import { checkHandover } from './key-chain.ts';
import { holdLiving, type RefusesDevices, requireDevicesAllowed } from './new-session.ts';
import { type PendingLogins, refuse, toPendingLogin } from './pending-logins.ts';
import { type PinCodes, wrongPin } from './pin-codes.ts';
import type { LoginRow } from './queries.ts';

/** The person or device that decides about a login: a session of the account, or the operator, who has no session. */
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
  scan(by: Required<Approver>, loginId: string): Promise<PendingLogin>;
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
  const { store, pending } = deps;
  return {
    async list(reader, accountId) {
      return (await pending.ofAccount(reader, accountId)).map(toPendingLogin);
    },
    scan: (by, loginId) => store.transact((tx) => scan(tx, deps, by, loginId)),
    async approve(by, approval, also) {
      const work = (tx: Tx) => approve(tx, deps, by, approval, also);
      if (approval.pinCode) await withPin(deps, by, approval.loginId, work);
      else await store.transact(work);
    },
    submitPin: (by, given) => withPin(deps, by, given.loginId, (tx) => submitPin(tx, deps, by, given)),
    deny: (by, loginId, also) => store.transact((tx) => deny(tx, deps, by, loginId, also)),
  };
}

async function scan(
  tx: Tx,
  deps: ApprovalDeps,
  { accountId, sessionId }: Required<Approver>,
  loginId: string,
): Promise<PendingLogin> {
  const { pending } = deps;
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
  await tell(tx, deps, accountId, scanned, 'pending');
  return toPendingLogin(scanned);
}

/** Approves a login. Returns an error for a wrong PIN. */
async function approve(
  tx: Tx,
  deps: ApprovalDeps,
  { accountId, sessionId }: Approver,
  { loginId, pinCode = '', e2ee }: Approval,
  also: DecisionHook | undefined,
): Promise<ApiError | undefined> {
  const { pending } = deps;
  const row = await requireOwn(tx, deps, accountId, loginId);
  if (row.state !== (row.kind === 'QR' ? 'scanned' : 'waiting')) throw wrongState(row);
  if (row.login_type === loginTypes.ID_CREDENTIAL) {
    if (e2ee) throw new ApiError('ILLEGAL_ARGUMENT', 'e2ee: this device did not ask for keys');
    if (pinCode === '') {
      throw new ApiError('INVALID_PIN_CODE', 'pinCode is missing: it is shown on the new device');
    }
    const error = await pinError(tx, deps, accountId, row, pinCode);
    if (error) return error;
  }
  // An approval by the operator hands over no keys, because the operator has none.
  if (row.login_type === loginTypes.ID_CREDENTIAL_WITH_E2EE && !e2ee && sessionId !== undefined) {
    throw new ApiError('ILLEGAL_ARGUMENT', 'e2ee is missing: this device asks for the key chain');
  }
  const approved: LoginRow = {
    ...pending.renewed(row),
    state: 'approved',
    scanner_session_id: sessionId ?? null,
    handover: e2ee ? checkHandover(e2ee) : null,
  };
  if (row.kind === 'CREDENTIAL') approved.pin_mac = null;
  await pending.save(tx, approved);
  await tell(tx, deps, accountId, approved, 'approved');
  await also?.(tx, toPendingLogin(approved));
  return undefined;
}

/** Submits the PIN of an approved login. Returns an error for a wrong PIN. */
async function submitPin(
  tx: Tx,
  deps: ApprovalDeps,
  { accountId, sessionId }: Approver,
  { loginId, pinCode = '', e2ee }: Approval,
): Promise<ApiError | undefined> {
  const { pending } = deps;
  const row = await requireOwn(tx, deps, accountId, loginId);
  if (row.state !== 'approved' || row.pin_mac === null) throw wrongState(row);
  const error = await pinError(tx, deps, accountId, row, pinCode);
  if (error) return error;
  const handover = e2ee ? checkHandover(e2ee) : row.handover;
  const verified = { state: 'verified', pin_mac: null, handover, scanner_session_id: sessionId ?? null } as const;
  await pending.save(tx, { ...pending.renewed(row), ...verified });
  return undefined;
}

async function deny(
  tx: Tx,
  deps: ApprovalDeps,
  { accountId }: Approver,
  loginId: string,
  also: DecisionHook | undefined,
): Promise<void> {
  const row = await requireOwn(tx, deps, accountId, loginId);
  if (row.state === 'denied') throw wrongState(row);
  refuse(row);
  await deps.pending.save(tx, row);
  await tell(tx, deps, accountId, row, 'denied');
  await also?.(tx, toPendingLogin(row));
}

/** Locks a login of the account. Throws the same error for another account's login as for an expired one. */
async function requireOwn(tx: Tx, { pending }: ApprovalDeps, accountId: number, loginId: string): Promise<LoginRow> {
  const row = await pending.lockOwn(tx, accountId, loginId);
  if (!row) throw new ApiError('NOT_FOUND', `loginId: no login ${JSON.stringify(loginId.slice(0, 40))} waits`);
  return row;
}

const tell = (
  tx: Tx,
  { tellDevices }: ApprovalDeps,
  accountId: number,
  row: LoginRow,
  kind: 'pending' | 'approved' | 'denied',
): Promise<void> => tellDevices(tx, accountId, kind, row.id, toPendingLogin(row));

/**
 * Compares the PIN and returns an error if the PIN is wrong. The error is not thrown, because that would roll back the
 * count of used tries.
 */
async function pinError(
  tx: Tx,
  deps: ApprovalDeps,
  accountId: number,
  row: LoginRow,
  pinCode: string,
): Promise<ApiError | undefined> {
  if (deps.pinCodes.matches(row, pinCode)) return undefined;
  await deps.pending.save(tx, row);
  if (row.state === 'denied') await tell(tx, deps, accountId, row, 'denied');
  return wrongPin(row);
}

/** Runs a step. If the step returns an error for a wrong PIN, throws the error after the commit. */
async function withPin(
  { store, pending, pinCodes }: ApprovalDeps,
  { accountId }: Approver,
  loginId: string,
  step: (tx: Tx) => Promise<ApiError | undefined>,
): Promise<void> {
  const login = await store.read((reader) => pending.findOwn(reader, accountId, loginId));
  // For a denied login, or a login of another account, the step compares no PIN. So no try is counted. The step itself
  // throws an error that tells the reason.
  if (!login || login.state === 'denied') return void (await store.transact(step));
  const counted = await pinCodes.count(accountId);
  let wrong: ApiError | undefined;
  try {
    wrong = await store.transact(step);
  } finally {
    if (!wrong) await counted.takeBack();
  }
  if (wrong) throw wrong;
}
