// The JSON forms of accounts, sessions and audit entries in the admin API.
import type { Account } from '../accounts/index.ts';
import type { SessionRow } from '../sessions/index.ts';
import type { AuditEntry } from './audit.ts';
import type { NamedRow, UseRow } from './queries.ts';

const timeOf = (ms: number): string => new Date(ms).toISOString();

export const accountJson = ({ id: _internal, createdTime, ...account }: Account) => ({
  ...account,
  createdTime: timeOf(createdTime),
});

/** @param use what the account uses; zero if undefined */
export const overviewJson = (account: Account, use: UseRow | undefined) => ({
  ...accountJson(account),
  sessions: use?.sessions ?? 0,
  ...(typeof use?.last_seen_time === 'number' && { lastSeenTime: timeOf(use.last_seen_time) }),
  storage: { objects: use?.objects ?? 0, bytes: use?.bytes ?? 0 },
});

export const sessionJson = (row: SessionRow) => ({
  loginSessionId: String(row.id),
  systemName: row.system_name,
  modelName: row.model_name,
  name: row.name,
  remoteAddress: row.remote_address,
  createdTime: timeOf(row.created_time),
  lastSeenTime: timeOf(row.last_seen_time),
});

/**
 * Returns the mid of the account that an entry is about: its subject, or the account in its details. The subject may
 * also be something else, which is not a mid of any account.
 */
export function aboutOf({ subject, detail }: Pick<AuditEntry, 'subject' | 'detail'>): string {
  const { account }: { readonly account?: unknown } = JSON.parse(detail);
  return typeof account === 'string' ? account : subject;
}

/** @param named the names of accounts, by mid */
export function auditJson({ id, time, detail, ...entry }: AuditEntry, named: ReadonlyMap<string, NamedRow>) {
  const account = named.get(aboutOf({ subject: entry.subject, detail }));
  return {
    id: String(id),
    time: timeOf(time),
    ...entry,
    ...(account && {
      account: {
        mid: account.mid,
        ...(account.userid !== null && { userid: account.userid }),
        displayName: account.display_name,
      },
    }),
    detail: JSON.parse(detail) as unknown,
  };
}
