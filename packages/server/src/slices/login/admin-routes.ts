// Admin endpoints of logins. They list and revoke certificates, and confirm or deny a waiting device. The operator
// needs the latter, for example, after an account has lost all its devices.
import type { Store, Tx } from '../../platform/store/store.ts';
import type { Accounts } from '../accounts/index.ts';
import { type AdminHandlers, type Audit, operator, Problem, requireAccount } from '../admin/index.ts';
import type { Certificates } from '../sessions/index.ts';
import type { Approvals } from './approvals.ts';

export interface LoginAdminDeps {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly approvals: Approvals;
  readonly certificates: Certificates;
  readonly audit: Audit;
}

type LoginEndpoint =
  | 'listLogins'
  | 'approveLogin'
  | 'denyLogin'
  | 'listCertificates'
  | 'revokeCertificates'
  | 'revokeCertificate';

export function loginAdminHandlers(deps: LoginAdminDeps): AdminHandlers<LoginEndpoint> {
  const { store, accounts, approvals, certificates, audit } = deps;
  const note = (tx: Tx, action: string, subject: string, detail: object): Promise<void> =>
    audit.record(tx, { actor: operator, action, subject, detail: JSON.stringify(detail) });

  return {
    async listLogins({ account }) {
      const { id } = await requireAccount(accounts, account);
      const logins = await store.read((reader) => approvals.list(reader, id));
      return { logins: logins.map(({ secret: _secret, ...login }) => login) };
    },
    async approveLogin({ account, login: loginId, pinCode }) {
      const { id, mid } = await requireAccount(accounts, account);
      await approvals.approve({ accountId: id }, { loginId, pinCode }, (tx, login) =>
        note(tx, 'login.approve', mid, { loginId, remoteAddress: login.remoteAddress }),
      );
    },
    async denyLogin({ account, login: loginId }) {
      const { id, mid } = await requireAccount(accounts, account);
      await approvals.deny({ accountId: id }, loginId, (tx) => note(tx, 'login.deny', mid, { loginId }));
    },
    async listCertificates({ account }) {
      const { id } = await requireAccount(accounts, account);
      const rows = await store.read((reader) => certificates.list(reader, id));
      return {
        certificates: rows.map((row) => ({
          id: row.id,
          ...(row.client_type === '' ? {} : { clientKind: row.client_type }),
          ...(row.session_id === null ? {} : { loginSessionId: String(row.session_id) }),
          createdTime: new Date(row.created_time).toISOString(),
        })),
      };
    },
    async revokeCertificates({ account }) {
      const { id, mid } = await requireAccount(accounts, account);
      await store.transact(async (tx) => {
        await certificates.revokeOfOthers(tx, id, 0);
        await note(tx, 'certificate.revoke-all', mid, {});
      });
    },
    async revokeCertificate({ account, certificate }) {
      const { id, mid } = await requireAccount(accounts, account);
      await store.transact(async (tx) => {
        if (!(await certificates.revoke(tx, id, certificate))) {
          throw new Problem(404, `the account has no certificate ${JSON.stringify(certificate)}`);
        }
        await note(tx, 'certificate.revoke', mid, { certificate });
      });
    },
  };
}
