// Changes of the account itself. The code is loaded at the first use.
import { deferred } from '../deferred.ts';
import type { OwnAccount, OwnAccountDeps } from './own-account.ts';

export type { IdentifierChanges, OwnAccount, PasswordChange } from './own-account.ts';

export const createOwnAccount = (deps: OwnAccountDeps): OwnAccount =>
  deferred(['changePassword', 'changeIdentifiers', 'delete'], async () =>
    (await import('./own-account.ts')).ownAccountOn(deps),
  );
