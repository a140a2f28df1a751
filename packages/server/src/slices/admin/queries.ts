import { sql } from '../../platform/store/sql.ts';

export interface AuditEntry {
  readonly id: number;
  readonly time: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: string;
}

export const insertEntry = sql(
  'insert into audit (id, time, actor, action, subject, detail) values (?, ?, ?, ?, ?, ?)',
);
export const entriesBefore = sql<AuditEntry>(
  'select id, time, actor, action, subject, detail from audit where id < ? order by id desc limit ?',
);
