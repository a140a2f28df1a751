// The long polls of password logins. The new device waits in a long poll until another device confirms the login.
import { ApiError, brandHeader, loginTypes } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { LongPollJQResult, LongPollLF1Result } from '@sealpost/contract/schemas';
import { success } from '../../platform/rpc/envelope.ts';
import type { HttpCall, HttpHandlers } from '../../platform/rpc/http-requests.ts';
import { pollWindow } from '../../platform/rpc/poll-window.ts';
import type { Store } from '../../platform/store/store.ts';
import { metadataOf } from './key-chain.ts';
import type { LoginWaiters } from './login-waiters.ts';
import type { PendingLogins } from './pending-logins.ts';
import type { LoginRow } from './queries.ts';
import type { Verifiers } from './verifiers.ts';

export interface CredentialPollDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly pending: PendingLogins;
  readonly waiters: LoginWaiters;
  readonly verifiers: Verifiers;
  readonly brand: string;
}

export type CredentialPolls = Pick<HttpHandlers, 'longPollLF1' | 'longPollJQ'>;

const USUAL_WINDOW = { longPollLF1: 110_000, longPollJQ: 180_000 } as const;
const VERIFIED = 'QRCODE_VERIFIED';

const dead = (): ApiError => new ApiError('POLL_GONE', 'the login was refused or has expired: log in again');

export function credentialPolls(deps: CredentialPollDeps): CredentialPolls {
  const { clock, verifiers } = deps;
  return {
    async longPollLF1(call) {
      const row = await confirmed(deps, call, 'longPollLF1', loginTypes.ID_CREDENTIAL_WITH_E2EE);
      const metadata = metadataOf(row, call.chromeClient);
      const result: LongPollLF1Result = {
        result: { metadata: call.chromeClient ? metadata : JSON.stringify(metadata) },
        timestamp: String(clock.now()),
        authPhase: VERIFIED,
      };
      return success(JSON.stringify(result));
    },
    async longPollJQ(call) {
      const row = await confirmed(deps, call, 'longPollJQ', loginTypes.ID_CREDENTIAL);
      const result: LongPollJQResult = {
        result: { verifier: verifiers.make(row.id, 'second'), authPhase: VERIFIED },
        timestamp: String(clock.now()),
      };
      return success(JSON.stringify(result));
    },
  };
}

/**
 * Waits for the confirmation of the login that the verifier in the header names, and returns the login.
 * @throws REQUEST_SCHEMA without the header, POLL_TIMEOUT if nobody confirms in time, POLL_GONE if the login is over
 */
async function confirmed(
  { store, pending, waiters, verifiers, brand }: CredentialPollDeps,
  call: HttpCall,
  name: keyof CredentialPolls,
  type: number,
): Promise<LoginRow> {
  const sessionHeader = brandHeader(brand, 'sessionId');
  const verifier = call.header(sessionHeader.toLowerCase());
  if (!verifier) {
    throw new ApiError(
      'REQUEST_SCHEMA',
      `the header ${sessionHeader} is missing: send the verifier that loginV2 answered`,
    );
  }
  const loginId = verifiers.read(verifier);
  if (!loginId) throw dead();
  const found = await waiters.until(loginId, pollWindow(call, USUAL_WINDOW[name]), call.signal, async () => {
    const row = await store.read((reader) => pending.find(reader, loginId));
    // The key chain is removed once the device has proved that it opened the chain, so a later poll has nothing to
    // return.
    if (!row || row.state === 'denied' || row.login_type !== type || row.confirmed_with !== null) throw dead();
    return row.state === 'approved' ? row : undefined;
  });
  if (!found) throw new ApiError('POLL_TIMEOUT', 'nobody confirmed the login in the time of this poll; poll again');
  return found;
}
