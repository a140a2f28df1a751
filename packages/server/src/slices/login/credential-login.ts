// Login with identifier and password: loginV2 of type 0, and of type 2 for accounts with sealing keys.
import { ApiError, loginResultTypes, loginTypes } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { LoginRequest, LoginResult } from '@sealpost/contract/schemas';
import { tokenHash } from '../../platform/kernel/digest.ts';
import type { Reader, Store, Tx } from '../../platform/store/store.ts';
import type { Accounts, Credential, Passwords } from '../accounts/index.ts';
import { type Certificates, clientKindOf, type Sessions, type TellDevices } from '../sessions/index.ts';
import type { Attempt } from './attempt-limit.ts';
import type { CredentialConfirm } from './credential-confirm.ts';
import type { Failures } from './failures.ts';
import type { KeyPool } from './key-pool.ts';
import {
  holdLiving,
  type LoginCall,
  type OpenSession,
  type RefusesDevices,
  requireDevicesAllowed,
} from './new-session.ts';

export type LoginConfirmation = 'new-device' | 'never';

export interface CredentialLoginDeps {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly certificates: Certificates;
  readonly passwords: Passwords;
  readonly keyPool: KeyPool;
  readonly failures: Failures;
  readonly confirmation: LoginConfirmation;
  readonly confirm: Pick<CredentialConfirm, 'ask'>;
  readonly openSession: OpenSession;
  readonly refusesDevices: RefusesDevices;
  readonly clock: Clock;
  readonly tellDevices: TellDevices;
  readonly onError: (error: unknown, what: string) => void;
  /** Returns whether the account of a mid takes part in Letter Sealing. */
  readonly canSeal: (reader: Reader, mid: string) => Promise<boolean>;
}

/** The only supported version of sealed logins. */
const E2EE_VERSION = 1;

export type CredentialLogin = (request: LoginRequest, call: LoginCall) => Promise<LoginResult>;

export function createCredentialLogin(deps: CredentialLoginDeps): CredentialLogin {
  return async (request, call) => {
    const account = await authenticate(deps, request, call);
    if (account.disabled) throw new ApiError('ABUSE_BLOCK');
    return deps.store.transact((tx) => enter(tx, deps, account, request, call));
  };
}

/**
 * Returns the account if its credential is right. Every wrong credential takes one password check and causes the same
 * error, so the answer does not reveal which part was wrong.
 */
async function authenticate(deps: CredentialLoginDeps, request: LoginRequest, call: LoginCall): Promise<Credential> {
  const { store, accounts, certificates, passwords, keyPool, failures } = deps;
  const { identifier = '', password = '', certificate } = request;
  const { remoteAddress: address } = call;
  const credential = await keyPool.open(identifier, password);
  const [account, known] = await store.read(async (reader) => {
    const found = await accounts.byIdentifier(reader, credential?.identifier ?? '');
    return [found, await certificates.recognises(reader, found?.id ?? 0, clientKindOf(call), certificate)] as const;
  });
  // A credential that cannot be decrypted counts like one with an unknown identifier, so that the same limits apply.
  const attempt = {
    who: account ? `account ${account.id}` : `unknown ${credential?.identifier ?? `${identifier} ${password}`}`,
    device: known ? tokenHash(certificate ?? '') : undefined,
    address,
  };
  await failures.check(attempt);
  let counted: Attempt | undefined;
  const matches = await passwords.verify(account?.passwordHash, credential?.password ?? '', async () => {
    counted = await failures.count(attempt);
  });
  if (!account || !matches) {
    if (account) tellOfFailure(deps, account.id, request, address, counted?.nth ?? 1);
    throw new ApiError('INVALID_IDENTITY_CREDENTIAL');
  }
  await counted?.takeBack();
  return account;
}

/**
 * Notifies the account's sessions of a wrong password. The limits on failed logins also limit these notifications. The
 * login answers without waiting for the notification, so its duration does not reveal whether the account exists.
 */
function tellOfFailure(
  { store, clock, sessions, tellDevices, onError }: CredentialLoginDeps,
  accountId: number,
  { type, systemName = '', modelName = '' }: LoginRequest,
  remoteAddress: string,
  nth: number,
): void {
  const now = String(clock.now());
  const told = store.transact(async (tx) => {
    if ((await sessions.list(tx, accountId)).length === 0) return;
    await tellDevices(tx, accountId, 'failed', String(nth), {
      loginId: '',
      kind: 'CREDENTIAL',
      loginType: type,
      systemName,
      modelName,
      remoteAddress,
      requestedTime: now,
      expiresTime: now,
      state: 'denied',
    });
  });
  told.catch((error: unknown) => onError(error, 'the sessions of an account were not notified of a failed login'));
}

async function enter(
  tx: Tx,
  deps: CredentialLoginDeps,
  account: Credential,
  request: LoginRequest,
  call: LoginCall,
): Promise<LoginResult> {
  const { sessions, certificates, confirmation, canSeal, confirm, openSession } = deps;
  const { id: accountId, mid } = account;
  const held = await holdLiving(tx, accountId);
  if (held?.credentialDigest !== tokenHash(account.passwordHash)) throw new ApiError('INVALID_IDENTITY_CREDENTIAL');
  const sealed = request.type === loginTypes.ID_CREDENTIAL_WITH_E2EE;
  if (sealed) requireSealing(await canSeal(tx, mid), request);
  const known = await certificates.recognises(tx, accountId, clientKindOf(call), request.certificate);
  if (!known) await requireDevicesAllowed(tx, deps, accountId);
  if (!known && confirmation === 'new-device') {
    const others = await sessions.list(tx, accountId);
    if (others.length > 0) {
      const proven = { accountId, credentialDigest: held.credentialDigest };
      return confirm.ask(tx, proven, request, call.remoteAddress);
    }
    if (sealed) throw new ApiError('E2EE_PRIMARY_NOT_SUPPORT', NO_PRIMARY);
  }
  const { tokens, certificate } = await openSession(tx, {
    accountId,
    mid,
    systemName: request.systemName,
    modelName: request.modelName,
    call,
    certificate: known ? request.certificate : undefined,
  });
  return {
    type: loginResultTypes.SUCCESS,
    certificate,
    tokenV3IssueResult: tokens,
    mid,
    lastPrimaryBindTime: String(account.createdTime),
  };
}

const NO_PRIMARY = 'sealed login is not supported: no device is logged in that could hand over the keys';

/**
 * Throws if sealed login is not possible. Clients then log in again with type 0, as they do after
 * E2EE_PRIMARY_NOT_SUPPORT.
 */
function requireSealing(canSeal: boolean, { e2eeVersion = E2EE_VERSION }: LoginRequest): void {
  if (!canSeal) {
    throw new ApiError('E2EE_SENDER_NOT_ALLOWED', 'sealed login is not supported: the account has Letter Sealing off');
  }
  if (e2eeVersion !== E2EE_VERSION) {
    throw new ApiError('E2EE_UPDATE_PRIMARY_DEVICE', `sealed login is not supported in version ${e2eeVersion}`);
  }
}
