// The end of every login: a session with tokens, a certificate for the next time, and the news to the other sessions.
import { ApiError } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { TokenV3IssueResult } from '@sealpost/contract/schemas';
import { tokenHash } from '../../platform/kernel/digest.ts';
import type { Call } from '../../platform/rpc/call.ts';
import type { Reader, Tx } from '../../platform/store/store.ts';
import { type Certificates, clientKindOf, type Sessions, sessionView, type TellDevices } from '../sessions/index.ts';
import { holdAccount } from './queries.ts';

export interface NewSessionDeps {
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly certificates: Certificates;
  readonly tellDevices: TellDevices;
  readonly refusesDevices: RefusesDevices;
}

/** What a call tells of the device that makes it. */
export type LoginCall = Pick<Call, 'remoteAddress' | 'chromeClient'>;

/** Whether a setting of the account keeps further devices out. */
export type RefusesDevices = (reader: Reader, accountId: number) => Promise<boolean>;

/** The first device comes in always. @throws NOT_ALLOWED_SECONDARY_DEVICE */
export async function requireDevicesAllowed(
  tx: Tx,
  { sessions, refusesDevices }: Pick<NewSessionDeps, 'sessions' | 'refusesDevices'>,
  accountId: number,
): Promise<void> {
  if (!(await refusesDevices(tx, accountId))) return;
  if ((await sessions.list(tx, accountId)).length > 0) throw new ApiError('NOT_ALLOWED_SECONDARY_DEVICE');
}

export interface Entering {
  readonly accountId: number;
  readonly mid: string;
  readonly systemName: string | undefined;
  readonly modelName: string | undefined;
  readonly call: LoginCall;
  /** One that the account has for this kind of client: it stays, else a new one is made. */
  readonly certificate?: string | undefined;
}

export interface Entered {
  readonly tokens: TokenV3IssueResult;
  readonly certificate: string;
}

export type OpenSession = (tx: Tx, entering: Entering) => Promise<Entered>;

export const createOpenSession =
  (deps: NewSessionDeps): OpenSession =>
  async (tx, { accountId, mid, systemName = '', modelName = '', call, certificate }) => {
    const clientKind = clientKindOf(call);
    const { remoteAddress } = call;
    const { clock, sessions, certificates, tellDevices } = deps;
    // A certificate says that the account let this device in before.
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
  /** Changes with the password. */
  readonly credentialDigest: string;
}

/**
 * Holds the account until the transaction ends; undefined when it is gone.
 * @throws ABUSE_BLOCK when it is disabled
 */
export async function holdLiving(tx: Tx, accountId: number): Promise<HeldAccount | undefined> {
  const held = await tx.one(holdAccount, accountId);
  if (!held) return undefined;
  if (held.disabled) throw new ApiError('ABUSE_BLOCK');
  return { mid: held.mid, createdTime: held.created_time, credentialDigest: tokenHash(held.password_hash) };
}
