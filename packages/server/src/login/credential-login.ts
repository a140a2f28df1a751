// Login with a credential: type 0, and type 2 for accounts with keys (specification: States, credential login).
import { ApiError, loginResultTypes, loginTypes } from '@sealpost/contract';
import type { LoginRequest, LoginResult } from '@sealpost/contract/schemas';
import type { Accounts, Credential, Passwords } from '../accounts/index.ts';
import { tokenHash } from '../kernel/digest.ts';
import type { Clock } from '../kernel/ports.ts';
import type { Certificates, Sessions, TellDevices } from '../sessions/index.ts';
import type { Reader, Store, Tx } from '../store/store.ts';
import type { CredentialConfirm } from './credential-confirm.ts';
import type { Failures } from './failures.ts';
import type { KeyPool } from './key-pool.ts';
import { deviceClass, holdLiving, type OpenSession } from './new-session.ts';

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
  readonly clock: Clock;
  readonly tellDevices: TellDevices;
  /** Whether the account has registered keys. */
  readonly hasKeys: (reader: Reader, accountId: number) => Promise<boolean>;
}

/** The one version of sealed logins. */
const E2EE_VERSION = 1;

export type CredentialLogin = (request: LoginRequest, remoteAddress: string) => Promise<LoginResult>;

export function createCredentialLogin(deps: CredentialLoginDeps): CredentialLogin {
  return async (request, remoteAddress) => {
    const account = await authenticate(deps, request, remoteAddress);
    if (account.disabled) throw new ApiError('ABUSE_BLOCK', 'blocked user');
    return deps.store.transact((tx) => enter(tx, deps, account, request, remoteAddress));
  };
}

/** Every wrong credential takes one password check and gets one answer. */
async function authenticate(deps: CredentialLoginDeps, request: LoginRequest, address: string): Promise<Credential> {
  const { store, accounts, certificates, passwords, keyPool, failures } = deps;
  const { identifier = '', password = '', systemName, certificate } = request;
  const credential = await keyPool.open(identifier, password);
  const [account, known] = await store.read(async (reader) => {
    const found = await accounts.byIdentifier(reader, credential?.identifier ?? '');
    return [
      found,
      await certificates.recognises(reader, found?.id ?? 0, deviceClass(systemName), certificate),
    ] as const;
  });
  const who = account ? `account ${account.id}` : `unknown ${credential?.identifier ?? ''}`;
  const attempt = { who: known ? `${who} on ${tokenHash(certificate ?? '')}` : who, address };
  failures.check(attempt);
  let closed = false;
  const matches = await passwords.verify(account?.passwordHash, credential?.password ?? '', () => {
    closed = failures.count(attempt);
  });
  if (!account || !matches) {
    // Not awaited, so that the answer takes as long as for an account that does not exist.
    if (account && closed) void tellOfFailures(deps, account.id, request, address).catch(() => {});
    throw new ApiError('INVALID_IDENTITY_CREDENTIAL');
  }
  failures.forgive(attempt);
  return account;
}

/** The sessions of an account learn of the failure that closed it to logins for a while. */
async function tellOfFailures(
  { store, clock, sessions, tellDevices }: CredentialLoginDeps,
  accountId: number,
  { type, systemName = '', modelName = '' }: LoginRequest,
  remoteAddress: string,
): Promise<void> {
  const now = String(clock.now());
  await store.transact(async (tx) => {
    if ((await sessions.list(tx, accountId)).length === 0) return;
    await tellDevices(tx, accountId, 'denied', '', {
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
}

async function enter(
  tx: Tx,
  { sessions, certificates, confirmation, hasKeys, confirm, openSession }: CredentialLoginDeps,
  account: Credential,
  request: LoginRequest,
  remoteAddress: string,
): Promise<LoginResult> {
  const held = await holdLiving(tx, account.id);
  if (held?.credentialDigest !== tokenHash(account.passwordHash)) throw new ApiError('INVALID_IDENTITY_CREDENTIAL');
  if (request.type === loginTypes.ID_CREDENTIAL_WITH_E2EE) await requireSealing(tx, hasKeys, account.id, request);
  const known = await certificates.recognises(tx, account.id, deviceClass(request.systemName), request.certificate);
  if (!known && confirmation === 'new-device' && (await sessions.list(tx, account.id)).length > 0) {
    const proven = { accountId: account.id, credentialDigest: held.credentialDigest };
    return confirm.ask(tx, proven, request, remoteAddress);
  }
  const { tokens, certificate } = await openSession(tx, {
    accountId: account.id,
    mid: account.mid,
    systemName: request.systemName,
    modelName: request.modelName,
    remoteAddress,
    certificate: known ? request.certificate : undefined,
  });
  return {
    type: loginResultTypes.SUCCESS,
    certificate,
    tokenV3IssueResult: tokens,
    mid: account.mid,
    lastPrimaryBindTime: String(account.createdTime),
  };
}

/** Clients that get one of these errors log in again with type 0. */
async function requireSealing(
  tx: Tx,
  hasKeys: CredentialLoginDeps['hasKeys'],
  accountId: number,
  { e2eeVersion = E2EE_VERSION }: LoginRequest,
): Promise<void> {
  if (!(await hasKeys(tx, accountId))) {
    throw new ApiError('E2EE_SENDER_NOT_ALLOWED', 'sealed login is not supported: the account has no keys');
  }
  if (e2eeVersion !== E2EE_VERSION) {
    throw new ApiError('E2EE_UPDATE_PRIMARY_DEVICE', `sealed login is not supported in version ${e2eeVersion}`);
  }
}
