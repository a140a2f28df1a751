// Reads and writes one account's row about another account. An owner's rows change only while the owner's operation log
// is locked. So no other transaction changes a row between its reading and its writing.
import type { Reader, Tx } from '../../platform/store/store.ts';
import { type RelationRow, relations, storeRelation } from './queries.ts';

export type Relation = { -readonly [K in keyof RelationRow]: RelationRow[K] };

const keyOf = (ownerId: number, contactId: number): string => `${ownerId}:${contactId}`;

export interface Relations {
  /**
   * Returns the row of `ownerId` about `contactId`, which the caller may change in place; a new row if there is none.
   */
  get(ownerId: number, contactId: number): Relation;
}

export async function relationsOf(reader: Reader, pairs: readonly (readonly [number, number])[]): Promise<Relations> {
  const rows = await reader.each(relations, pairs);
  const found = new Map(rows.map((row) => [keyOf(row.owner_id, row.contact_id), { ...row }]));
  return { get: (ownerId, contactId) => found.get(keyOf(ownerId, contactId)) ?? fresh(ownerId, contactId) };
}

export async function saveRelation(tx: Tx, r: Relation): Promise<void> {
  await tx.run(
    storeRelation,
    r.owner_id,
    r.contact_id,
    r.added,
    r.added_time,
    r.added_by_time,
    r.type,
    r.deleted,
    r.blocked,
    r.recommendation_blocked,
    r.muted,
    r.hidden,
    r.favorite_time,
    r.name_override,
    r.ringtone,
    r.ringback_tone,
  );
}

const fresh = (owner_id: number, contact_id: number): Relation => ({
  owner_id,
  contact_id,
  added: 0,
  added_time: 0,
  added_by_time: 0,
  type: 0,
  deleted: 0,
  blocked: 0,
  recommendation_blocked: 0,
  muted: 0,
  hidden: 0,
  favorite_time: 0,
  name_override: '',
  ringtone: '',
  ringback_tone: '',
});
