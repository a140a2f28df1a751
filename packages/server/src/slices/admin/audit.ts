// What an operator did, written in the transaction of the change itself.
import type { Ids } from '../../platform/kernel/ids.ts';
import type { Clock } from '../../platform/kernel/ports.ts';
import { sql } from '../../platform/store/sql.ts';
import type { Store, Tx } from '../../platform/store/store.ts';

export interface AuditEntry {
  readonly id: number;
  readonly time: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: string;
}

const insertEntry = sql('insert into audit (id, time, actor, action, subject, detail) values (?, ?, ?, ?, ?, ?)');
const entriesBefore = sql<AuditEntry>(
  'select id, time, actor, action, subject, detail from audit where id < ? order by id desc limit ?',
);

export interface Audit {
  record(tx: Tx, entry: Pick<AuditEntry, 'actor' | 'action' | 'subject' | 'detail'>): Promise<void>;
  /** Newest first, before the entry with id `before`. */
  list(before: number, limit: number): Promise<AuditEntry[]>;
}

export function createAudit(store: Store, ids: Ids, clock: Clock): Audit {
  return {
    record: (tx, { actor, action, subject, detail }) =>
      tx.run(insertEntry, ids.next(), clock.now(), actor, action, subject, detail),
    list: (before, limit) => store.read((reader) => reader.all(entriesBefore, before, limit)),
  };
}
