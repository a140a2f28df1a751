import type { MethodArgs } from '@sealpost/contract/schemas';
import { tokenHash } from '../../platform/kernel/digest.ts';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { Tx } from '../../platform/store/store.ts';
import { checkPassword } from '../accounts/index.ts';
import { sessionView } from '../sessions/index.ts';
import type { OwnAccountDeps } from './deps.ts';
import { checked } from './refusals.ts';

const REASON = 'password changed';

/**
 * Replaces the caller's password. The session of the call and the certificate of its device stay valid. Logins that
 * still wait for a confirmation end, because they began with the old password.
 */
export const changePassword =
  (deps: OwnAccountDeps) =>
  async (call: UserCall, request: MethodArgs<'PrimaryDeviceService.changePassword'>[0]): Promise<object> => {
    const { store, accounts, passwords, mutations, provePassword } = deps;
    const { reqSeq, password, newPassword, endOtherSessions } = request;
    const before = await store.read((reader) => accounts.credentialOf(reader, call.caller.accountId));
    // A fingerprint must not be made from passwords. Otherwise, somebody who reads the database could find a password
    // by trying guesses. So a repeated request is recognized by the password hash that the first request stored.
    const made = (hash: string) => ({ ...call, args: [{ reqSeq, endOtherSessions, made: tokenHash(hash) }] });
    const isRepeat = before !== undefined && (await mutations.wasDone(made(before.passwordHash), reqSeq));
    const { account, byOther } = await provePassword(call, password, isRepeat ? newPassword : undefined);
    if (byOther) return {};

    const shown = await accounts.show(account.mid);
    checked(() => checkPassword(newPassword, shown?.userid ?? ''), { password: 'newPassword' });
    const hash = await passwords.hash(newPassword);
    return mutations.mutate(made(hash), reqSeq, async (tx) => {
      await accounts.hold(tx, account);
      await accounts.setPassword(tx, account.id, hash);
      if (endOtherSessions) await endOthers(tx, deps, call);
      await tell(tx, deps, call);
      return {};
    });
  };

async function endOthers(tx: Tx, { sessions, certificates }: OwnAccountDeps, { caller }: UserCall): Promise<void> {
  await certificates.revokeOfOthers(tx, caller.accountId, caller.sessionId);
  await sessions.endAll(tx, caller.accountId, REASON, caller.sessionId);
}

async function tell(tx: Tx, { sessions, tellDevices }: OwnAccountDeps, { caller }: UserCall): Promise<void> {
  const session = (await sessions.list(tx, caller.accountId)).find(({ id }) => id === caller.sessionId);
  if (session) await tellDevices(tx, caller.accountId, 'password-changed', String(session.id), sessionView(session));
}
