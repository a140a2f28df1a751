// Login with a credential: type 0, and type 2 for accounts with keys (specification: States, credential login).
import { ApiError, loginResultTypes, loginTypes } from '@sealpost/contract';
import type { LoginRequest, LoginResult } from '@sealpost/contract/schemas';
import type { Accounts, Credential, Passwords } from '../accounts/index.ts';
import type { Certificates, Sessions } from '../sessions/index.ts';
import { sql } from '../store/sql.ts';
import type { Reader, Store, Tx } from '../store/store.ts';
import type { Failures } from './failures.ts';
import type { KeyPool } from './key-pool.ts';

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
  /** Whether the account has registered keys. */
  readonly hasKeys: (reader: Reader, accountId: number) => Promise<boolean>;
}

/** Held while the session is made, so that disabling the account or a new password cannot slip in between. */
const holdAccount = sql<{ disabled: number; password_hash: string }>(
  'select disabled, password_hash from account where id = ? and deleted = 0 {for share}',
);

export type CredentialLogin = (request: LoginRequest, remoteAddress: string) => Promise<LoginResult>;

export function createCredentialLogin(deps: CredentialLoginDeps): CredentialLogin {
  return async (request, remoteAddress) => {
    const account = await authenticate(deps, request, remoteAddress);
    if (account.disabled) throw new ApiError('ABUSE_BLOCK', 'blocked user');
    return deps.store.transact((tx) => enter(tx, deps, account, request, remoteAddress));
  };
}

/** Every wrong credential takes one password check and gets one answer. */
async function authenticate(
  { store, accounts, passwords, keyPool, failures }: CredentialLoginDeps,
  { identifier = '', password = '' }: LoginRequest,
  address: string,
): Promise<Credential> {
  const credential = await keyPool.open(identifier, password);
  const account = await store.read((reader) => accounts.byIdentifier(reader, credential?.identifier ?? ''));
  const attempt = { who: account ? `account ${account.id}` : `unknown ${credential?.identifier ?? ''}`, address };
  failures.check(attempt);
  const matches = await passwords.verify(account?.passwordHash, credential?.password ?? '', () =>
    failures.count(attempt),
  );
  if (!account || !matches) throw new ApiError('INVALID_IDENTITY_CREDENTIAL');
  failures.forgive(attempt);
  return account;
}

async function enter(
  tx: Tx,
  { sessions, certificates, confirmation, hasKeys }: CredentialLoginDeps,
  account: Credential,
  request: LoginRequest,
  remoteAddress: string,
): Promise<LoginResult> {
  const held = await tx.one(holdAccount, account.id);
  if (!held || held.password_hash !== account.passwordHash) throw new ApiError('INVALID_IDENTITY_CREDENTIAL');
  if (held.disabled) throw new ApiError('ABUSE_BLOCK', 'blocked user');
  const sealed = request.type === loginTypes.ID_CREDENTIAL_WITH_E2EE;
  if (sealed && !(await hasKeys(tx, account.id))) {
    throw new ApiError('E2EE_SENDER_NOT_ALLOWED', 'sealed login is not supported: the account has no keys');
  }
  const device = deviceClass(request.systemName);
  const known = await certificates.recognises(tx, account.id, device, request.certificate);
  if (!known && confirmation === 'new-device' && (await sessions.list(tx, account.id)).length > 0) {
    throw new ApiError(
      'NOT_AVAILABLE_API',
      'this device is new, and confirming it on another one is not available yet',
    );
  }
  const { tokens } = await sessions.open(tx, {
    accountId: account.id,
    mid: account.mid,
    systemName: request.systemName ?? '',
    modelName: request.modelName ?? '',
    clientType: device,
    remoteAddress,
  });
  return {
    type: loginResultTypes.SUCCESS,
    certificate: known && request.certificate ? request.certificate : await certificates.issue(tx, account.id, device),
    tokenV3IssueResult: tokens,
    mid: account.mid,
    lastPrimaryBindTime: String(account.createdTime),
  };
}

/** A certificate is good for the class of device that it was made for. */
export const deviceClass = (systemName: string | undefined): string =>
  (systemName ?? '').trim().toUpperCase() || 'UNKNOWN';
