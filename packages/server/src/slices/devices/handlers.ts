// The methods with which a logged-in device decides about new logins and manages the sessions of its account.
import { ApiError } from '@sealpost/contract';
import type { devices } from '@sealpost/contract/schemas';
import type { Handlers } from '../../platform/rpc/call.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Approvals } from '../login/index.ts';
import { type Certificates, type Sessions, sessionView } from '../sessions/index.ts';

export interface DeviceDeps {
  readonly store: Store;
  readonly approvals: Approvals;
  readonly sessions: Sessions;
  readonly certificates: Certificates;
}

const REVOKED = 'revoked by another device';
const SESSION_ID = /^\d{1,16}$/;

const noSession = (loginSessionId: string): ApiError =>
  new ApiError('NOT_FOUND', `loginSessionId: no live session ${JSON.stringify(loginSessionId.slice(0, 40))}`);

const idOf = (loginSessionId: string): number => {
  if (!SESSION_ID.test(loginSessionId)) throw noSession(loginSessionId);
  return Number(loginSessionId);
};

export function deviceHandlers({
  store,
  approvals,
  sessions,
  certificates,
}: DeviceDeps): Handlers<keyof typeof devices> {
  return {
    'PrimaryDeviceService.getPendingLogins': ({ caller }) =>
      store.read((reader) => approvals.list(reader, caller.accountId)),
    'PrimaryDeviceService.scanQrCode': ({ caller }, { loginId }) => approvals.scan(caller, loginId),
    'PrimaryDeviceService.approveLogin': async ({ caller }, approval) => {
      await approvals.approve(caller, approval);
      return {};
    },
    'PrimaryDeviceService.submitPinCode': async ({ caller }, given) => {
      await approvals.submitPin(caller, given);
      return {};
    },
    'PrimaryDeviceService.denyLogin': async ({ caller }, { loginId }) => {
      await approvals.deny(caller, loginId);
      return {};
    },

    'PrimaryDeviceService.getSessions': async ({ caller }) => {
      const rows = await store.read((reader) => sessions.list(reader, caller.accountId));
      return rows.map((row) => sessionView(row, caller.sessionId));
    },
    'PrimaryDeviceService.renameSession': async ({ caller }, { loginSessionId, name }) => {
      const id = idOf(loginSessionId);
      if (!(await store.transact((tx) => sessions.rename(tx, caller.accountId, id, name.trim())))) {
        throw noSession(loginSessionId);
      }
      return {};
    },
    'PrimaryDeviceService.revokeSession': async ({ caller }, { loginSessionId }) => {
      const id = idOf(loginSessionId);
      await store.transact(async (tx) => {
        const own = (await sessions.list(tx, caller.accountId)).some((row) => row.id === id);
        if (!own) throw noSession(loginSessionId);
        // The certificate of the session is revoked too, so that the device cannot log in again without confirmation.
        await certificates.revokeOfSession(tx, caller.accountId, id);
        await sessions.revokeIn(tx, [id], REVOKED);
      });
      return {};
    },
    'PrimaryDeviceService.revokeOtherSessions': async ({ caller }) => {
      await store.transact(async (tx) => {
        await sessions.endAll(tx, caller.accountId, REVOKED, caller.sessionId);
        await certificates.revokeOfOthers(tx, caller.accountId, caller.sessionId);
      });
      return {};
    },
  };
}
