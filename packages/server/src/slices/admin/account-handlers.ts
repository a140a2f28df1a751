// Admin endpoints of accounts and sessions, and of the audit log.
import type { AdminEndpointName, AdminResult, AuditAction } from '@sealpost/contract/admin';
import { nextOf, pageOf } from '../../platform/json-api/input.ts';
import { Problem } from '../../platform/json-api/problem.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import type { Account, Accounts } from '../accounts/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { aboutOf, accountJson, auditJson, sessionJson } from './answers.ts';
import type { Audit } from './audit.ts';
import type { AdminCaller, AdminHandlers } from './call.ts';
import { namesOf } from './queries.ts';

export type OwnEndpoint = Extract<
  AdminEndpointName,
  | `${'create' | 'show' | 'delete' | 'disable' | 'enable'}Account`
  | 'listAccounts'
  | 'resetPassword'
  | 'listSessions'
  | 'endSessions'
  | 'endSession'
  | 'listAudit'
>;

export interface AccountAdminDeps {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly audit: Audit;
}

/**
 * Returns the account with this mid or userid.
 * @throws Problem 404 if there is no such account
 */
export async function requireAccount(accounts: Pick<Accounts, 'show'>, midOrUserid: string): Promise<Account> {
  const found = await accounts.show(midOrUserid);
  if (!found)
    throw new Problem(404, `no account has the mid or userid ${JSON.stringify(midOrUserid)}`, {
      code: 'unknown-account',
    });
  return found;
}

export function accountAdminHandlers(deps: AccountAdminDeps): AdminHandlers<OwnEndpoint> {
  const { store, accounts, sessions, audit } = deps;
  const noteOf =
    ({ actor }: AdminCaller) =>
    (tx: Tx, action: AuditAction, subject: string, detail: object = {}): Promise<void> =>
      audit.record(tx, { actor, action, subject, detail: JSON.stringify(detail) });
  const accountOf = (midOrUserid: string): Promise<Account> => requireAccount(accounts, midOrUserid);

  /** Runs a change of an account, and returns the account's new state. */
  async function change(
    account: string,
    work: (account: Account) => Promise<boolean>,
  ): Promise<AdminResult<'showAccount'>> {
    if (!(await work(await accountOf(account))))
      throw new Problem(404, 'the account was deleted at the same moment', { code: 'account-deleted' });
    return accountJson(await accountOf(account));
  }

  return {
    async listAccounts(args) {
      const { limit, cursor } = pageOf(args, 0);
      const page = await accounts.list(cursor, limit);
      return { accounts: page.map(accountJson), ...nextOf(page, limit) };
    },
    createAccount: async (input, caller) =>
      accountJson(await accounts.create(input, (tx, { mid }) => noteOf(caller)(tx, 'account.create', mid))),
    showAccount: async ({ account }) => accountJson(await accountOf(account)),
    async deleteAccount({ account }, caller) {
      const { id } = await accountOf(account);
      await accounts.remove(id, (tx, { mid }) => noteOf(caller)(tx, 'account.delete', mid));
    },
    disableAccount: ({ account }, caller) =>
      change(account, ({ id }) => accounts.disable(id, (tx, { mid }) => noteOf(caller)(tx, 'account.disable', mid))),
    enableAccount: ({ account }, caller) =>
      change(account, ({ id }) => accounts.enable(id, (tx, { mid }) => noteOf(caller)(tx, 'account.enable', mid))),
    resetPassword: ({ account, password }, caller) =>
      change(account, ({ id }) =>
        accounts.resetPassword(id, password, (tx, { mid }) => noteOf(caller)(tx, 'account.reset-password', mid)),
      ),
    async listSessions({ account }) {
      const { id } = await accountOf(account);
      return { sessions: (await store.read((reader) => sessions.list(reader, id))).map(sessionJson) };
    },
    async endSessions({ account }, caller) {
      const { id, mid } = await accountOf(account);
      await store.transact(async (tx) => {
        await sessions.endAll(tx, id, 'revoked by the operator');
        await noteOf(caller)(tx, 'session.revoke-all', mid);
      });
    },
    async endSession({ account, session }, caller) {
      const { id, mid } = await accountOf(account);
      await store.transact(async (tx) => {
        const live = (await sessions.list(tx, id)).find((row) => String(row.id) === session);
        if (!live) throw new Problem(404, `the account has no live session ${JSON.stringify(session)}`);
        await sessions.revokeIn(tx, [live.id], 'revoked by the operator');
        await noteOf(caller)(tx, 'session.revoke', mid, { session });
      });
    },
    async listAudit(args) {
      const { limit, cursor } = pageOf(args, Number.MAX_SAFE_INTEGER);
      const page = await audit.list(args, cursor, limit);
      const mids = [...new Set(page.map(aboutOf))].map((mid) => [mid]);
      const named = new Map((await store.read((reader) => reader.each(namesOf, mids))).map((row) => [row.mid, row]));
      return { entries: page.map((entry) => auditJson(entry, named)), ...nextOf(page, limit) };
    },
  };
}
