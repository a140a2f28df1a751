// The methods with which people manage their own account. Each method asks for the password again, because a stolen
// session must not be enough to take an account away from its owner.
import type { ownAccount } from '@sealpost/contract/schemas';
import type { Handlers } from '../../platform/rpc/call.ts';
import { changeIdentifiers } from './change-identifiers.ts';
import { changePassword } from './change-password.ts';
import { deleteAccount } from './delete-account.ts';
import type { OwnAccountDeps } from './deps.ts';

export type { OwnAccountDeps } from './deps.ts';

export const ownAccountHandlers = (deps: OwnAccountDeps): Handlers<keyof typeof ownAccount> => ({
  'PrimaryDeviceService.changePassword': changePassword(deps),
  'PrimaryDeviceService.changeIdentifiers': changeIdentifiers(deps),
  'PrimaryDeviceService.deleteAccount': deleteAccount(deps),
});
