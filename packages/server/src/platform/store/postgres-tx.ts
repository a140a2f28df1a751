// Named statements on a connection to PostgreSQL, alone or inside a transaction.
import type pg from 'pg';
import type { Query, SetQuery, Value } from './sql.ts';
import type { Reader, Tx } from './store.ts';

async function query<R>(client: pg.Client, { id, postgres }: Query<R>, values: unknown[]): Promise<R[]> {
  const { rows } = await client.query({ name: id, text: postgres, values });
  return rows as R[];
}

export function readerOn(client: pg.Client): Reader {
  return {
    one: async (q, ...params) => (await query(client, q, params))[0],
    all: (q, ...params) => query(client, q, params),
    each: (q, rows) => (rows.length === 0 ? Promise.resolve([]) : query(client, q, columnsOf(q, rows))),
  };
}

/**
 * Returns one array for each column, in PostgreSQL's text form. The conversion of the driver would be several times
 * slower.
 */
function columnsOf(set: SetQuery<unknown>, rows: readonly (readonly Value[])[]): string[] {
  return set.columns.map((_, column) => {
    let text = '';
    for (const row of rows) text += `,${element(row[column] ?? null)}`;
    return `{${text.slice(1)}}`;
  });
}

const NEEDS_CARE = /[\0-\x1f\ud800-\udfff]/;

function element(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  // JSON and PostgreSQL quote text in the same way, except for control characters and halves of surrogate pairs.
  return NEEDS_CARE.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : JSON.stringify(value);
}

export interface PostgresTx extends Tx {
  begin(): void;
  /** Returns the cause of the first write that failed, if any did. */
  failedWrite(): unknown;
  /**
   * Waits until the outcome of every write is known. Called when PostgreSQL has answered all of them.
   * @throws the cause of the first write that failed
   */
  requireWritten(): Promise<void>;
  end(): void;
}

/**
 * Returns a transaction whose writes do not wait for earlier writes. A failed write becomes known at the end of the
 * transaction or earlier. Then the whole transaction is rolled back.
 */
export function txOn(client: pg.Client, hooks: (() => void)[]): PostgresTx {
  let open = true;
  let failed: { readonly cause: unknown } | undefined;
  let newest: Promise<unknown> | undefined;
  const reader = readerOn(client);
  const alive = (): void => {
    if (!open) throw new Error('this transaction is over');
  };
  const write = (sent: Promise<unknown>): void => {
    newest = sent.catch((cause: unknown) => {
      failed ??= { cause };
    });
  };
  return {
    async one(q, ...params) {
      alive();
      return reader.one(q, ...params);
    },
    async all(q, ...params) {
      alive();
      return reader.all(q, ...params);
    },
    async each(q, rows) {
      alive();
      const answer = reader.each(q, rows);
      if (q.answersRows) return answer;
      write(answer);
      return [];
    },
    async run(q, ...params) {
      alive();
      write(query(client, q, params));
    },
    onCommit: (hook) => hooks.push(hook),
    begin: () => write(client.query('begin')),
    failedWrite: () => failed?.cause,
    async requireWritten() {
      // Answers come in the order of the statements. The answer to the commit may arrive together with those before it,
      // and then it is read before their failures are noted.
      await newest;
      if (failed) throw failed.cause;
    },
    end: () => {
      open = false;
    },
  };
}
