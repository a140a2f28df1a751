// The operator's side of logins, part of the admin API: confirms a device for an account that has lost all others, and
// revokes certificates.
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Store, Tx } from '../../platform/store/store.ts';
import type { Accounts } from '../accounts/index.ts';
import { type AdminRoutes, type Audit, bodyReader, operator, Problem } from '../admin/index.ts';
import type { Certificates } from '../sessions/index.ts';
import type { Approvals } from './approvals.ts';

export const ApproveLoginBody = Type.Object(
  { pinCode: Type.Optional(Type.String({ maxLength: 16 })) },
  { additionalProperties: false, title: 'ApproveLogin' },
);
const readApproval = bodyReader(ApproveLoginBody);

export interface LoginAdminDeps {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly approvals: Approvals;
  readonly certificates: Certificates;
  readonly audit: Audit;
}

export function loginAdminRoutes({ store, accounts, approvals, certificates, audit }: LoginAdminDeps): AdminRoutes {
  const note = (tx: Tx, action: string, subject: string, detail: object): Promise<void> =>
    audit.record(tx, { actor: operator, action, subject, detail: JSON.stringify(detail) });

  async function accountOf(request: FastifyRequest): Promise<{ id: number; mid: string }> {
    const { account } = request.params as { account: string };
    const found = await accounts.show(account);
    if (!found) throw new Problem(404, `no account has the mid or userid ${JSON.stringify(account)}`);
    return found;
  }
  const paramOf = (request: FastifyRequest, name: string): string =>
    (request.params as Record<string, string>)[name] ?? '';

  return {
    '/accounts/:account/logins': {
      GET: async (request) => {
        const { id } = await accountOf(request);
        const logins = await store.read((reader) => approvals.list(reader, id));
        return { logins: logins.map(({ secret: _secret, ...login }) => login) };
      },
    },
    '/accounts/:account/logins/:login/approve': {
      POST: async (request, reply) => {
        const { id, mid } = await accountOf(request);
        const loginId = paramOf(request, 'login');
        const { pinCode } = readApproval(request.body ?? {});
        await approvals.approve({ accountId: id }, { loginId, pinCode }, (tx, login) =>
          note(tx, 'login.approve', mid, { loginId, remoteAddress: login.remoteAddress }),
        );
        reply.code(204);
      },
    },
    '/accounts/:account/logins/:login/deny': {
      POST: async (request, reply) => {
        const { id, mid } = await accountOf(request);
        const loginId = paramOf(request, 'login');
        await approvals.deny({ accountId: id }, loginId, (tx) => note(tx, 'login.deny', mid, { loginId }));
        reply.code(204);
      },
    },
    '/accounts/:account/certificates': {
      GET: async (request) => {
        const { id } = await accountOf(request);
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
      DELETE: async (request, reply) => {
        const { id, mid } = await accountOf(request);
        await store.transact(async (tx) => {
          await certificates.revokeOfOthers(tx, id, 0);
          await note(tx, 'certificate.revoke-all', mid, {});
        });
        reply.code(204);
      },
    },
    '/accounts/:account/certificates/:certificate': {
      DELETE: async (request, reply) => {
        const { id, mid } = await accountOf(request);
        const certificate = paramOf(request, 'certificate');
        await store.transact(async (tx) => {
          if (!(await certificates.revoke(tx, id, certificate))) {
            throw new Problem(404, `the account has no certificate ${JSON.stringify(certificate)}`);
          }
          await note(tx, 'certificate.revoke', mid, { certificate });
        });
        reply.code(204);
      },
    },
  };
}
