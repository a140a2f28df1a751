// The rows of sends, and the store that the storing floor writes them to.
import type { Value } from '../../packages/server/src/platform/store/sql.ts';

type Rows = readonly (readonly Value[])[];

/** The rows of the sends of one commit, with their values in the order of the queries' columns. */
export interface RowsOfSends {
  readonly messages: Rows;
  readonly locations: Rows;
  readonly operations: Rows;
  readonly heads: Rows;
}

export interface StoredAccount {
  readonly id: number;
  readonly mid: string;
  readonly revision: number;
}

export interface FloorStore {
  readonly accounts: readonly StoredAccount[];
  /** Writes the rows in one durable commit. */
  write(rows: RowsOfSends): void | Promise<void>;
}

export const SELECT_ACCOUNTS =
  'select a.id, a.mid, h.revision from account a join operation_head h on h.account_id = a.id';
