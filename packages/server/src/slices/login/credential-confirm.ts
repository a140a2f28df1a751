// A password login on a device that the account does not know. The device waits in a long poll until another device
// confirms it, then fetches its session with a verifier.
import { ApiError, brandHeader, loginResultTypes, loginTypes } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { LoginRequest, LoginResult, LongPollJQResult, LongPollLF1Result } from '@sealpost/contract/schemas';
import { sameText, tokenHash } from '../../platform/kernel/digest.ts';
import { success } from '../../platform/rpc/envelope.ts';
import type { HttpCall, HttpHandlers } from '../../platform/rpc/http-requests.ts';
import { pollWindow } from '../../platform/rpc/poll-window.ts';
import type { Reader, Store, Tx } from '../../platform/store/store.ts';
import type { TellDevices } from '../sessions/index.ts';
import { type AccountKeyOf, bytesOf, handoverOf, isProof, metadataOf } from './key-chain.ts';
import type { LoginWaiters } from './login-waiters.ts';
import { holdLiving, type LoginCall, type OpenSession } from './new-session.ts';
import { type PendingLogins, toPendingLogin } from './pending-logins.ts';
import { type PinCodes, useTry } from './pin-codes.ts';
import type { LoginRow } from './queries.ts';
import type { Verifiers } from './verifiers.ts';

export interface CredentialConfirmDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly pending: PendingLogins;
  readonly waiters: LoginWaiters;
  readonly pinCodes: PinCodes;
  readonly verifiers: Verifiers;
  readonly openSession: OpenSession;
  readonly tellDevices: TellDevices;
  readonly accountKeyOf: AccountKeyOf;
  readonly brand: string;
}

/**
 * The account whose password was verified. The digest changes with the password, so a later step notices a new
 * password.
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
  readonly polls: Pick<HttpHandlers, 'longPollLF1' | 'longPollJQ'>;
}

const SECRET_BYTES = 32;
const USUAL_WINDOW = { longPollLF1: 110_000, longPollJQ: 180_000 } as const;
const VERIFIED = 'QRCODE_VERIFIED';

const over = (): ApiError => new ApiError('AUTHENTICATION_FAILED', 'the verifier is unknown or expired: log in again');
const dead = (): ApiError => new ApiError('POLL_GONE', 'the login was refused or has expired: log in again');

export function createCredentialConfirm(deps: CredentialConfirmDeps): CredentialConfirm {
  const { store, clock, pending, waiters, pinCodes, verifiers, openSession, tellDevices, accountKeyOf } = deps;
  const sessionHeader = brandHeader(deps.brand, 'sessionId');

  async function find(reader: Reader, verifier: string): Promise<LoginRow | undefined> {
    const row = await pending.find(reader, verifiers.read(verifier) ?? '');
    return row && row.state !== 'denied' ? row : undefined;
  }

  /**
   * Locks the login that a verifier names.
   * @throws AUTHENTICATION_FAILED if it is unknown, denied or expired
   */
  async function hold(tx: Tx, verifier: string): Promise<LoginRow & { account_id: number }> {
    const row = await pending.lock(tx, verifiers.read(verifier) ?? '');
    if (!row || row.state === 'denied' || row.account_id === null) throw over();
    return { ...row, account_id: row.account_id };
  }

  /**
   * Returns the confirmed login for the verifier in the header.
   * @throws REQUEST_SCHEMA without the header, POLL_TIMEOUT if nobody confirms in time, POLL_GONE if the login is over
   */
  async function poll(call: HttpCall, name: 'longPollLF1' | 'longPollJQ', type: number): Promise<LoginRow> {
    const verifier = call.header(sessionHeader.toLowerCase());
    if (!verifier) {
      throw new ApiError(
        'REQUEST_SCHEMA',
        `the header ${sessionHeader} is missing: send the verifier that loginV2 answered`,
      );
    }
    const loginId = verifiers.read(verifier);
    if (!loginId) throw dead();
    const { signal } = call;
    const found = await waiters.until(loginId, pollWindow(call, USUAL_WINDOW[name]), signal, async () => {
      const row = await store.read((reader) => find(reader, verifier));
      // The key chain is removed once the device has proved that it opened the chain, so a later poll has nothing to
      // return.
      if (row?.login_type !== type || row.confirmed_with !== null) throw dead();
      return row.state === 'approved' ? row : undefined;
    });
    if (!found) throw new ApiError('POLL_TIMEOUT', 'nobody confirmed the login in the time of this poll; poll again');
    return found;
  }

  return {
    async ask(tx, { accountId, credentialDigest }, request, remoteAddress) {
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
    },

    async prove(verifier, deviceSecret) {
      const outcome = await store.transact(async (tx) => {
        const row = await hold(tx, verifier);
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
        if (!right) return refuseProof(tx, row);
        await pending.save(tx, { ...row, confirmed_with: proof, handover: null });
        return next;
      });
      if (outcome instanceof ApiError) throw outcome;
      return outcome;
    },

    async finish(verifier, call) {
      const outcome = await store.transact(async (tx) => {
        const row = await hold(tx, verifier);
        if (row.state !== 'approved') throw new ApiError('INVALID_STATE', 'the login is not confirmed yet');
        if (row.handover !== null) throw new ApiError('INVALID_STATE', 'confirmE2EELogin comes before this step');
        const account = await holdLiving(tx, row.account_id);
        await pending.finish(tx, row.id);
        if (account?.credentialDigest !== row.credential_digest) return over();
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
      });
      if (outcome instanceof ApiError) throw outcome;
      return outcome;
    },

    polls: {
      async longPollLF1(call) {
        const row = await poll(call, 'longPollLF1', loginTypes.ID_CREDENTIAL_WITH_E2EE);
        const metadata = metadataOf(row, call.chromeClient);
        const result: LongPollLF1Result = {
          result: { metadata: call.chromeClient ? metadata : JSON.stringify(metadata) },
          timestamp: String(clock.now()),
          authPhase: VERIFIED,
        };
        return success(JSON.stringify(result));
      },
      async longPollJQ(call) {
        const row = await poll(call, 'longPollJQ', loginTypes.ID_CREDENTIAL);
        const result: LongPollJQResult = {
          result: { verifier: verifiers.make(row.id, 'second'), authPhase: VERIFIED },
          timestamp: String(clock.now()),
        };
        return success(JSON.stringify(result));
      },
    },
  };

  async function refuseProof(tx: Tx, row: LoginRow & { account_id: number }): Promise<ApiError> {
    useTry(row);
    await pending.save(tx, row);
    if (row.state === 'denied') await tellDevices(tx, row.account_id, 'denied', row.id, toPendingLogin(row));
    return new ApiError('INVALID_IDENTITY_CREDENTIAL', 'deviceSecret does not fit the key chain');
  }
}

/**
 * Returns the public key of the new device, encrypted with its PIN. No key chain can be handed over without this key,
 * so a missing key is an error.
 */
function requireSecret({ secret = '' }: LoginRequest): string {
  if (secret === '') {
    throw new ApiError('E2EE_SENDER_NOT_ALLOWED', 'sealed login is not supported without a secret: log in with type 0');
  }
  if (bytesOf(secret) !== SECRET_BYTES) throw new ApiError('ILLEGAL_ARGUMENT', 'secret must be base64 of 32 bytes');
  return secret;
}
