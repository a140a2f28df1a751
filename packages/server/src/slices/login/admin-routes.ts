// Admin endpoints of logins. The operator lists and revokes certificates, and confirms or denies waiting devices. If an
// account has lost all its devices, only the operator can confirm a new one.
import type { AuditAction } from '@sealpost/contract/admin';
import { Problem } from '../../platform/json-api/problem.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import type { Accounts } from '../accounts/index.ts';
import { type AdminCaller, type AdminHandlers, type Audit, requireAccount } from '../admin/index.ts';
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
  const noteOf =
    ({ actor }: AdminCaller) =>
    (tx: Tx, action: AuditAction, subject: string, detail: object): Promise<void> =>
      audit.record(tx, { actor, action, subject, detail: JSON.stringify(detail) });

  return {
    async listLogins({ account }) {
      const { id } = await requireAccount(accounts, account);
      const logins = await store.read((reader) => approvals.list(reader, id));
      return { logins: logins.map(({ secret: _secret, ...login }) => login) };
    },
    async approveLogin({ account, login: loginId, pinCode }, caller) {
      const { id, mid } = await requireAccount(accounts, account);
      await approvals.approve({ accountId: id }, { loginId, pinCode }, (tx, login) =>
        noteOf(caller)(tx, 'login.approve', mid, { loginId, remoteAddress: login.remoteAddress }),
      );
    },
    async denyLogin({ account, login: loginId }, caller) {
      const { id, mid } = await requireAccount(accounts, account);
      await approvals.deny({ accountId: id }, loginId, (tx) => noteOf(caller)(tx, 'login.deny', mid, { loginId }));
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
    async revokeCertificates({ account }, caller) {
      const { id, mid } = await requireAccount(accounts, account);
      await store.transact(async (tx) => {
        await certificates.revokeOfOthers(tx, id, 0);
        await noteOf(caller)(tx, 'certificate.revoke-all', mid, {});
      });
    },
    async revokeCertificate({ account, certificate }, caller) {
      const { id, mid } = await requireAccount(accounts, account);
      await store.transact(async (tx) => {
        if (!(await certificates.revoke(tx, id, certificate))) {
          throw new Problem(404, `the account has no certificate ${JSON.stringify(certificate)}`);
        }
        await noteOf(caller)(tx, 'certificate.revoke', mid, { certificate });
      });
    },
  };
}
