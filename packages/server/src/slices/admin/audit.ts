// The audit log of the operator's actions. Each entry is written in the same transaction as the action that it records.

import type { Clock } from '@sealpost/contract/ports';
import type { Ids } from '../../platform/kernel/ids.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import { type AuditEntry, entriesBefore, insertEntry } from './queries.ts';

export type { AuditEntry } from './queries.ts';

export interface Audit {
  record(tx: Tx, entry: Pick<AuditEntry, 'actor' | 'action' | 'subject' | 'detail'>): Promise<void>;
  /** Returns entries, newest first, starting before the entry with id `before`. */
  list(before: number, limit: number): Promise<AuditEntry[]>;
}

export function createAudit(store: Store, ids: Ids, clock: Clock): Audit {
  return {
    record: (tx, { actor, action, subject, detail }) =>
      tx.run(insertEntry, ids.next(), clock.now(), actor, action, subject, detail),
    list: (before, limit) => store.read((reader) => reader.all(entriesBefore, before, limit)),
  };
}
