import { profileAttributes } from '@sealpost/contract';
import type { MethodArgs, OwnIdentifiers } from '@sealpost/contract/schemas';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { Tx } from '../../platform/store/store.ts';
import { checkNewIdentifiers, type Identifiers } from '../accounts/index.ts';
import type { OwnAccountDeps } from './deps.ts';
import { checked, ofOperator, taken } from './refusals.ts';

const NAMES: readonly (keyof Identifiers)[] = ['userid', 'email', 'phone'];

/**
 * Changes the caller's user id, e-mail address or phone number. Only the caller's own sessions are notified, because
 * contacts do not see these values.
 */
export const changeIdentifiers =
  (deps: OwnAccountDeps) =>
  async (call: UserCall, request: MethodArgs<'PrimaryDeviceService.changeIdentifiers'>[0]): Promise<OwnIdentifiers> => {
    const { accounts, mutations, provePassword } = deps;
    const { password, reqSeq, ...given } = request;
    const changes = checked(() => checkNewIdentifiers(given, password));
    const { account } = await provePassword(call, password);
    // The fingerprint of the request is made without the password. Otherwise, somebody who reads the database could
    // find the password by trying guesses against the fingerprint.
    const repeatable = { ...call, args: [{ reqSeq, ...given }] };
    return mutations
      .mutate(repeatable, reqSeq, async (tx) => {
        const held = await accounts.hold(tx, account);
        if (held.kind === 'official') throw ofOperator('change its names');
        const after = await accounts.identify(tx, held, changes);
        await tell(tx, deps, reqSeq, held, after);
        return present(after);
      })
      .catch(taken);
  };

/** Notifies the account's own sessions of the identifiers that changed. */
async function tell(
  tx: Tx,
  { log }: OwnAccountDeps,
  reqSeq: number,
  before: Identifiers & { readonly id: number },
  after: Identifiers,
): Promise<void> {
  const changed = NAMES.filter((name) => after[name] !== before[name]);
  if (changed.length === 0) return;
  const attributes = changed.includes('email') ? profileAttributes.EMAIL : 0;
  const params = { attributes, changed: Object.fromEntries(changed.map((name) => [name, after[name] ?? ''])) };
  await log.lockAndAppend(tx, [{ accountId: before.id, to: 'self', type: 'UPDATE_PROFILE', reqSeq, params }]);
}

const present = ({ userid, email, phone }: Identifiers): OwnIdentifiers => ({
  ...(userid !== null && { userid }),
  ...(email !== null && { email }),
  ...(phone !== null && { phone }),
});
