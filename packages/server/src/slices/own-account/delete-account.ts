import type { MethodArgs } from '@sealpost/contract/schemas';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { OwnAccountDeps } from './deps.ts';
import { ofOperator } from './refusals.ts';

/** Deletes the caller's account, in the same way as the operator does. */
export const deleteAccount =
  ({ store, accounts, provePassword }: OwnAccountDeps) =>
  async (call: UserCall, { password }: MethodArgs<'PrimaryDeviceService.deleteAccount'>[0]): Promise<object> => {
    const { account } = await provePassword(call, password);
    await store.transact(async (tx) => {
      const held = await accounts.hold(tx, account);
      if (held.kind === 'official') throw ofOperator('delete it');
      await accounts.removeIn(tx, held.id);
    });
    return {};
  };
