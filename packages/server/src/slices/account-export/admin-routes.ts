// The admin endpoint that answers with an archive of an account.
import type { Store } from '../../platform/store/store.ts';
import type { Accounts } from '../accounts/index.ts';
import { type AdminHandlers, type Audit, requireAccount } from '../admin/index.ts';
import { exportAccount } from './export-account.ts';
import type { ExportDeps } from './export-deps.ts';

export interface AccountExportAdminDeps extends ExportDeps {
  readonly store: Store;
  readonly accounts: Pick<Accounts, 'show'>;
  readonly audit: Audit;
}

export const accountExportAdminHandlers = (deps: AccountExportAdminDeps): AdminHandlers<'exportAccount'> => ({
  async exportAccount({ account }, { actor }) {
    const found = await requireAccount(deps.accounts, account);
    // The audit entry is written before the first byte is sent, so that no archive leaves without an entry.
    await deps.store.transact((tx) =>
      deps.audit.record(tx, { actor, action: 'account.export', subject: found.mid, detail: '{}' }),
    );
    return exportAccount(deps, found);
  },
});
