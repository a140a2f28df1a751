// The JSON forms of accounts, sessions and audit entries in the admin API.
import type { Account } from '../accounts/index.ts';
import type { SessionRow } from '../sessions/index.ts';
import type { AuditEntry } from './audit.ts';
import type { UseRow } from './queries.ts';

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

export const auditJson = ({ id, time, detail, ...entry }: AuditEntry) => ({
  id: String(id),
  time: timeOf(time),
  ...entry,
  detail: JSON.parse(detail) as unknown,
});
