// Keeps accounts in memory after their first lookup. Their ids, mids and kinds never change, so no second query is
// needed.

import { growingCache } from '../../platform/kernel/growing-cache.ts';
import type { Reader } from '../../platform/store/store.ts';
import type { AccountKind } from './account-input.ts';
import { factsById, factsByMid } from './queries.ts';

/** The properties of an account that never change. */
export interface AccountFacts {
  readonly id: number;
  readonly mid: string;
  readonly kind: AccountKind;
}

export interface KnownAccounts {
  /** Finds an account by its mid, even if it was deleted. An account that was looked up before comes from memory. */
  findByMid(reader: Reader, mid: string): Promise<AccountFacts | undefined>;
  findById(reader: Reader, id: number): Promise<AccountFacts | undefined>;
  idOf(reader: Reader, mid: string): Promise<number | undefined>;
}

const REMEMBERED = 100_000;

export function createKnownAccounts(): KnownAccounts {
  const byMid = growingCache<string, AccountFacts>(REMEMBERED);
  const byId = growingCache<number, AccountFacts>(REMEMBERED);

  function remember(row: AccountFacts | undefined): AccountFacts | undefined {
    if (!row) return undefined;
    const facts = { id: row.id, mid: row.mid, kind: row.kind };
    byMid.set(facts.mid, facts);
    byId.set(facts.id, facts);
    return facts;
  }

  async function findByMid(reader: Reader, mid: string): Promise<AccountFacts | undefined> {
    return byMid.get(mid) ?? remember(await reader.one(factsByMid, mid));
  }

  return {
    findByMid,
    async findById(reader, id) {
      return byId.get(id) ?? remember(await reader.one(factsById, id));
    },
    async idOf(reader, mid) {
      return (await findByMid(reader, mid))?.id;
    },
  };
}
