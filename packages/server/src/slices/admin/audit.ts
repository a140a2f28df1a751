// The audit log of the operator's actions. Each entry is written in the same transaction as the action that it records.

import type { AuditAction } from '@sealpost/contract/admin';
import type { Clock } from '@sealpost/contract/ports';
import type { Ids } from '../../platform/kernel/ids.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import { type AuditEntry, entriesAbout, entriesBefore, entriesBy, entriesWithAction, insertEntry } from './queries.ts';

export type { AuditEntry } from './queries.ts';

/** The filter for entries to list. An entry matches only if it has exactly the given values. */
export type AuditFilter = Partial<Pick<AuditEntry, 'actor' | 'action' | 'subject'>>;

export interface NewAuditEntry extends Pick<AuditEntry, 'actor' | 'subject' | 'detail'> {
  readonly action: AuditAction;
}

export interface Audit {
  record(tx: Tx, entry: NewAuditEntry): Promise<void>;
  /** Returns entries, newest first, starting before the entry with id `before`. */
  list(filter: AuditFilter, before: number, limit: number): Promise<AuditEntry[]>;
}

export function createAudit(store: Store, ids: Ids, clock: Clock): Audit {
  return {
    record: (tx, { actor, action, subject, detail }) =>
      tx.run(insertEntry, ids.next(), clock.now(), actor, action, subject, detail),
    list: ({ actor, action, subject }, before, limit) =>
      store.read((reader) => {
        if (subject !== undefined) return reader.all(entriesAbout, subject, action ?? '', actor ?? '', before, limit);
        if (action !== undefined) return reader.all(entriesWithAction, action, actor ?? '', before, limit);
        if (actor !== undefined) return reader.all(entriesBy, actor, before, limit);
        return reader.all(entriesBefore, before, limit);
      }),
  };
}
