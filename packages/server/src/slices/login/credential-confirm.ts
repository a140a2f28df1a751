// A password login on a device that the account does not know. The device waits in a long poll until another device
// confirms the login. Then it opens its session with a verifier.
import { ApiError, loginResultTypes, loginTypes } from '@sealpost/contract';
import type { LoginRequest, LoginResult } from '@sealpost/contract/schemas';
import { sameText, tokenHash } from '../../platform/kernel/digest.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { Sessions, TellDevices } from '../sessions/index.ts';
import { type CredentialPollDeps, type CredentialPolls, credentialPolls } from './credential-polls.ts';
import { type AccountKeyOf, bytesOf, handoverOf, isProof } from './key-chain.ts';
import { holdApproved, type LoginCall, type OpenSession } from './new-session.ts';
import { toPendingLogin } from './pending-logins.ts';
import { type PinCodes, useTry } from './pin-codes.ts';
import type { LoginRow } from './queries.ts';
import { runStep } from './run-step.ts';

export interface CredentialConfirmDeps extends CredentialPollDeps {
  readonly pinCodes: PinCodes;
  readonly sessions: Sessions;
  readonly openSession: OpenSession;
  readonly tellDevices: TellDevices;
  readonly accountKeyOf: AccountKeyOf;
}

/**
 * The account whose password was verified. The digest changes with the password, so that a later step notices a change
 * of the password.
 */
export interface ProvenAccount {
  readonly accountId: number;
  readonly credentialDigest: string;
}

export interface CredentialConfirm {
  /** Begins a login that waits for confirmation. */
  ask(tx: Tx, proven: ProvenAccount, request: LoginRequest, remoteAddress: string): Promise<LoginResult>;
  /** AuthService.confirmE2EELogin: checks that the device opened the key chain, and returns the second verifier. */
  prove(verifier: string, deviceSecret: string): Promise<string>;
  /** loginV2 of type 1: the last step, which opens the session. */
  finish(verifier: string, call: LoginCall): Promise<LoginResult>;
  readonly polls: CredentialPolls;
}

const SECRET_BYTES = 32;

const over = (): ApiError => new ApiError('AUTHENTICATION_FAILED', 'the verifier is unknown or expired: log in again');

export function createCredentialConfirm(deps: CredentialConfirmDeps): CredentialConfirm {
  const { store } = deps;
  return {
    ask: (tx, proven, request, remoteAddress) => ask(tx, deps, proven, request, remoteAddress),
    prove: (verifier, deviceSecret) => runStep(store, (tx) => prove(tx, deps, verifier, deviceSecret)),
    finish: (verifier, call) => runStep(store, (tx) => finish(tx, deps, verifier, call)),
    polls: credentialPolls(deps),
  };
}

async function ask(
  tx: Tx,
  { pending, pinCodes, verifiers, tellDevices, accountKeyOf }: CredentialConfirmDeps,
  { accountId, credentialDigest }: ProvenAccount,
  request: LoginRequest,
  remoteAddress: string,
): Promise<LoginResult> {
  const sealed = request.type === loginTypes.ID_CREDENTIAL_WITH_E2EE;
  const secret = sealed ? requireSecret(request) : undefined;
  await pending.requireRoom(tx, accountId);
  const pinCode = sealed ? '' : pinCodes.make();
  const row = await pending.begin(tx, {
    kind: 'CREDENTIAL',
    login_type: request.type,
    state: 'waiting',
    system_name: request.systemName ?? '',
    model_name: request.modelName ?? '',
    remote_address: remoteAddress,
    account_id: accountId,
    credential_digest: credentialDigest,
    ...(secret === undefined ? { pinMac: (id) => pinCodes.mac(id, pinCode) } : { secret }),
  });
  await tellDevices(tx, accountId, 'pending', row.id, toPendingLogin(row));
  const accountKey = sealed ? await accountKeyOf(tx, accountId) : undefined;
  return {
    type: loginResultTypes.REQUIRE_DEVICE_CONFIRM,
    verifier: verifiers.make(row.id, 'first'),
    pinCode,
    ...(accountKey ? { accountKey } : {}),
    displayMessage: 'Confirm this login on a device that is logged in already.',
  };
}

/**
 * Checks the proof that a client sends with its first verifier. Returns the second verifier, with which the client then
 * waits for the confirmation. An error for a wrong proof is returned and not thrown, because throwing it would roll back
 * the count of used tries.
 */
async function prove(
  tx: Tx,
  deps: CredentialConfirmDeps,
  verifier: string,
  deviceSecret: string,
): Promise<string | ApiError> {
  const { pending, verifiers } = deps;
  const row = await hold(tx, deps, verifier);
  const next = verifiers.make(row.id, 'second');
  const proof = tokenHash(deviceSecret);
  if (row.confirmed_with !== null) {
    return sameText(row.confirmed_with, proof) ? next : new ApiError('INVALID_STATE', 'confirmed already');
  }
  const e2ee = handoverOf(row);
  if (row.state !== 'approved' || !e2ee) {
    return new ApiError('INVALID_STATE', 'no key chain was handed over for this login yet');
  }
  const right = isProof(deviceSecret) && sameText(e2ee.hashKeyChain, deviceSecret);
  if (!right) return refuseProof(tx, deps, row);
  await pending.save(tx, { ...row, confirmed_with: proof, handover: null });
  return next;
}

/**
 * Opens the session of a confirmed login. If the password was changed, the account deleted or the confirming session
 * ended in the meantime, the login ends with an error.
 */
async function finish(
  tx: Tx,
  deps: CredentialConfirmDeps,
  verifier: string,
  call: LoginCall,
): Promise<LoginResult | ApiError> {
  const { pending, openSession } = deps;
  const row = await hold(tx, deps, verifier);
  if (row.state !== 'approved') throw new ApiError('INVALID_STATE', 'the login is not confirmed yet');
  if (row.handover !== null) throw new ApiError('INVALID_STATE', 'confirmE2EELogin comes before this step');
  const account = await holdApproved(tx, deps, row);
  await pending.finish(tx, row.id);
  if (!account) return over();
  const { mid } = account;
  const { tokens, certificate } = await openSession(tx, {
    accountId: row.account_id,
    mid,
    systemName: row.system_name,
    modelName: row.model_name,
    call,
  });
  return {
    type: loginResultTypes.SUCCESS,
    certificate,
    tokenV3IssueResult: tokens,
    mid,
    lastPrimaryBindTime: String(account.createdTime),
  };
}

type HeldLogin = LoginRow & { account_id: number };

/**
 * Locks the login that a verifier names.
 * @throws AUTHENTICATION_FAILED if the login is unknown, denied or expired
 */
async function hold(tx: Tx, { pending, verifiers }: CredentialConfirmDeps, verifier: string): Promise<HeldLogin> {
  const row = await pending.lock(tx, verifiers.read(verifier) ?? '');
  if (!row || row.state === 'denied' || row.account_id === null) throw over();
  return { ...row, account_id: row.account_id };
}

async function refuseProof(tx: Tx, { pending, tellDevices }: CredentialConfirmDeps, row: HeldLogin): Promise<ApiError> {
  useTry(row);
  await pending.save(tx, row);
  if (row.state === 'denied') await tellDevices(tx, row.account_id, 'denied', row.id, toPendingLogin(row));
  return new ApiError('INVALID_IDENTITY_CREDENTIAL', 'deviceSecret does not fit the key chain');
}

/**
 * Returns the public key of the new device, which the device encrypted with its PIN. No key chain can be handed over
 * without this key, so a missing key is an error.
 */
function requireSecret({ secret = '' }: LoginRequest): string {
  if (secret === '') {
    throw new ApiError('E2EE_SENDER_NOT_ALLOWED', 'sealed login is not supported without a secret: log in with type 0');
  }
  if (bytesOf(secret) !== SECRET_BYTES) throw new ApiError('ILLEGAL_ARGUMENT', 'secret must be base64 of 32 bytes');
  return secret;
}
