// The last step of every login. It opens a session with tokens, issues a certificate for later logins, and notifies the
// other sessions.
import { ApiError } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { TokenV3IssueResult } from '@sealpost/contract/schemas';
import { tokenHash } from '../../platform/kernel/digest.ts';
import type { Call } from '../../platform/rpc/call.ts';
import type { Reader, Tx } from '../../platform/store/store.ts';
import { type Certificates, clientKindOf, type Sessions, sessionView, type TellDevices } from '../sessions/index.ts';
import { holdAccount, type LoginRow } from './queries.ts';

export interface NewSessionDeps {
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly certificates: Certificates;
  readonly tellDevices: TellDevices;
  readonly refusesDevices: RefusesDevices;
}

/** The facts about the device that are taken from its call. */
export type LoginCall = Pick<Call, 'remoteAddress' | 'chromeClient'>;

/** Returns whether the account's settings refuse further devices. */
export type RefusesDevices = (reader: Reader, accountId: number) => Promise<boolean>;

/**
 * Throws if the account refuses further devices and already has a session.
 * @throws NOT_ALLOWED_SECONDARY_DEVICE
 */
export async function requireDevicesAllowed(
  tx: Tx,
  { sessions, refusesDevices }: Pick<NewSessionDeps, 'sessions' | 'refusesDevices'>,
  accountId: number,
): Promise<void> {
  if (!(await refusesDevices(tx, accountId))) return;
  if ((await sessions.list(tx, accountId)).length > 0) throw new ApiError('NOT_ALLOWED_SECONDARY_DEVICE');
}

export interface SessionRequest {
  readonly accountId: number;
  readonly mid: string;
  readonly systemName: string | undefined;
  readonly modelName: string | undefined;
  readonly call: LoginCall;
  /** The device's valid certificate, which stays in use; if absent, a new certificate is issued. */
  readonly certificate?: string | undefined;
}

export interface OpenedSession {
  readonly tokens: TokenV3IssueResult;
  readonly certificate: string;
}

export type OpenSession = (tx: Tx, entering: SessionRequest) => Promise<OpenedSession>;

export const createOpenSession =
  (deps: NewSessionDeps): OpenSession =>
  async (tx, { accountId, mid, systemName = '', modelName = '', call, certificate }) => {
    const clientKind = clientKindOf(call);
    const { remoteAddress } = call;
    const { clock, sessions, certificates, tellDevices } = deps;
    // A device with a certificate was allowed at an earlier login, so the setting is not checked again.
    if (!certificate) await requireDevicesAllowed(tx, deps, accountId);
    const others = await sessions.list(tx, accountId);
    const { sessionId, tokens } = await sessions.open(tx, {
      accountId,
      mid,
      systemName,
      modelName,
      clientType: clientKind,
      remoteAddress,
    });
    if (certificate) await certificates.moveTo(tx, certificate, clientKind, sessionId);
    if (others.length > 0) {
      const now = clock.now();
      const times = { created_time: now, last_seen_time: now };
      const row = {
        id: sessionId,
        account_id: accountId,
        system_name: systemName,
        model_name: modelName,
        name: '',
        client_type: clientKind,
        remote_address: remoteAddress,
        ...times,
      };
      await tellDevices(tx, accountId, 'approved', String(sessionId), sessionView(row));
    }
    return { tokens, certificate: certificate ?? (await certificates.issue(tx, accountId, clientKind, sessionId)) };
  };

export interface HeldAccount {
  readonly mid: string;
  readonly createdTime: number;
  /** Digest of the stored password hash; it changes with the password. */
  readonly credentialDigest: string;
}

/**
 * Locks the account until the transaction ends; returns undefined if the account was deleted.
 * @throws ABUSE_BLOCK if the account is disabled
 */
export async function holdLiving(tx: Tx, accountId: number): Promise<HeldAccount | undefined> {
  const held = await tx.one(holdAccount, accountId);
  if (!held) return undefined;
  if (held.disabled) throw new ApiError('ABUSE_BLOCK');
  return { mid: held.mid, createdTime: held.created_time, credentialDigest: tokenHash(held.password_hash) };
}

/**
 * Locks the account of an approved login. Returns undefined if the login may no longer open a session. That is so if the
 * account was deleted or has another password, or if the session that approved the login has ended. Otherwise, somebody
 * who was just sent away could come back through a login that they approved before.
 * @throws ABUSE_BLOCK if the account is disabled
 */
export async function holdApproved(
  tx: Tx,
  { sessions }: Pick<NewSessionDeps, 'sessions'>,
  { account_id, credential_digest, scanner_session_id }: LoginRow,
): Promise<HeldAccount | undefined> {
  const account = account_id === null ? undefined : await holdLiving(tx, account_id);
  if (account?.credentialDigest !== credential_digest) return undefined;
  if (scanner_session_id !== null && !(await sessions.holdLive(tx, scanner_session_id))) return undefined;
  return account;
}
