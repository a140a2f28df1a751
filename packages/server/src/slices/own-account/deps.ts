import type { Mutations } from '../../platform/idempotency/mutations.ts';
import type { Store } from '../../platform/store/store.ts';
import type { OperationLog } from '../../platform/stream/operation-log.ts';
import type { Accounts, Passwords } from '../accounts/index.ts';
import type { ProvePassword } from '../login/index.ts';
import type { Certificates, Sessions, TellDevices } from '../sessions/index.ts';

export interface OwnAccountDeps {
  readonly store: Store;
  readonly log: OperationLog;
  readonly mutations: Mutations;
  readonly accounts: Accounts;
  readonly passwords: Passwords;
  readonly provePassword: ProvePassword;
  readonly sessions: Pick<Sessions, 'list' | 'endAll'>;
  readonly certificates: Pick<Certificates, 'revokeOfOthers'>;
  readonly tellDevices: TellDevices;
}
