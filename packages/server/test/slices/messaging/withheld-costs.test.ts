// What somebody reads costs the same, however many messages a blocked user sends into the chat.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { createDatabase, databases } from '@sealpost/dev-env/harness';
import pg from 'pg';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import { createPostgresTables, createSqliteTables, newestVersion } from '../../../src/platform/store/migrate.ts';
import { PostgresConnections } from '../../../src/platform/store/postgres-connections.ts';
import { readerOn } from '../../../src/platform/store/postgres-tx.ts';
import type { Query, Value } from '../../../src/platform/store/sql.ts';
import type { Reader } from '../../../src/platform/store/store.ts';
import { newestVisible, oldestVisible, readPage, unreadCount } from '../../../src/slices/messaging/history.ts';
import * as q from '../../../src/slices/messaging/queries.ts';

const [OWNER, BLOCKED] = [1, 2];
const ALWAYS = [{ after: 0, before: Number.MAX_SAFE_INTEGER }];
/** The numbers of withheld messages in each run of a chat. */
const LENGTHS = [10, 2000];

/** The part of a plan that tells how many rows of a table were read. */
interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

const readRows = (plan: Plan): number =>
  (plan['Relation Name'] === undefined
    ? 0
    : (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']) +
  (plan.Plans ?? []).reduce((sum, part) => sum + readRows(part), 0);

/** Returns SQL of a chat that begins and ends with runs, with a shared message and a reaction to it in between. */
function chatOf(chatId: number, length: number): string {
  const run = (from: number) =>
    `insert into message (chat_id, id, sender_id, content_type, created_time, only_for, withheld_after, body)
     select ${chatId}, ${from} + n, ${BLOCKED}, 0, 0, ${BLOCKED}, ${from}, '{}' from generate_series(1, ${length}) n;
     insert into reaction (chat_id, message_id, account_id, created_time, reaction, only_for)
     select ${chatId}, ${from} + n, ${BLOCKED}, 0, '{}', ${BLOCKED} from generate_series(1, ${length}) n;`;
  const shared = (id: number) =>
    `insert into message (chat_id, id, sender_id, content_type, created_time, body)
     values (${chatId}, ${id}, ${BLOCKED}, 0, 0, '{}');
     insert into reaction (chat_id, message_id, account_id, created_time, reaction)
     values (${chatId}, ${id}, ${BLOCKED}, 0, '{}');`;
  return `insert into message_box (account_id, chat_mid, chat_id, peer_id)
    values (${OWNER}, 'u${chatId}', ${chatId}, ${BLOCKED});
    ${run(0)} ${shared(10_000)} ${run(10_000)} ${shared(20_000)} ${run(20_000)}`;
}

describe('reads of a chat with a blocked user, on postgres', {
  skip: !databases.includes('postgres') && 'needs PostgreSQL',
}, () => {
  let own: Awaited<ReturnType<typeof createDatabase>>;
  let connections: PostgresConnections;
  let client: pg.Client;
  before(async () => {
    own = await createDatabase();
    connections = new PostgresConnections({ ...systemPorts, url: own.url, onError: (error) => assert.fail(error) });
    client = await connections.connect();
    await createPostgresTables(client, newestVersion);
    for (const [chatId, length] of LENGTHS.entries()) await client.query(chatOf(chatId + 1, length));
    await client.query(`insert into message (chat_id, id, sender_id, content_type, created_time, body)
      select 100 + n % 500, 30000 + n, 3, 0, 0, '{}' from generate_series(1, 20000) n`);
    await client.query('analyze');
    await client.query('set plan_cache_mode = force_generic_plan');
  });
  after(async () => {
    await connections.leave();
    await own.drop();
  });

  /** Returns how many rows the work reads, and what it answers. */
  async function costOf<T>(work: (reader: Reader) => Promise<T>): Promise<{ rows: number; answer: T }> {
    let rows = 0;
    const literal = (value: Value) => (typeof value === 'string' ? pg.escapeLiteral(value) : String(value));
    const count = async ({ id, postgres }: Query<unknown>, values: readonly string[]) => {
      await client.query(`prepare counted_${id} as ${postgres}`);
      const { rows: found } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, format json) execute counted_${id}(${values.join(', ')})`,
      );
      await client.query(`deallocate counted_${id}`);
      for (const { 'QUERY PLAN': text } of found) {
        const plans: readonly { readonly Plan: Plan }[] = JSON.parse(text);
        for (const { Plan: plan } of plans) rows += readRows(plan);
      }
    };
    const plain = readerOn(client);
    const answer = await work({
      async one(query, ...params) {
        await count(query, params.map(literal));
        return plain.one(query, ...params);
      },
      async all(query, ...params) {
        await count(query, params.map(literal));
        return plain.all(query, ...params);
      },
      async each(query, sets) {
        const columns = query.columns.map((_, i) => `array[${sets.map((row) => literal(row[i] ?? null)).join(', ')}]`);
        await count(query, columns);
        return plain.each(query, sets);
      },
    });
    return { rows, answer };
  }

  const boxIn = async (reader: Reader, chatId: number) =>
    (await reader.one(q.boxOf, OWNER, `u${chatId}`)) ?? assert.fail('no box');
  const mids = (boxes: readonly q.BoxRow[]) => boxes.map(({ chat_mid }) => chat_mid);

  const reads: Record<string, { read: (reader: Reader, chatId: number) => Promise<unknown>; expected: unknown }> = {
    'a page of history with its reactions': {
      read: async (reader, chatId) =>
        (await readPage(reader, { box: await boxIn(reader, chatId), spans: ALWAYS, limit: 50 })).map(({ id }) => id),
      expected: [20_000, 10_000],
    },
    'a page that ends within a run': {
      read: async (reader, chatId) =>
        (await readPage(reader, { box: await boxIn(reader, chatId), spans: ALWAYS, limit: 50, before: 20_005 })).map(
          ({ id }) => id,
        ),
      expected: [20_000, 10_000],
    },
    'the unread count': {
      read: async (reader, chatId) => unreadCount(reader, await boxIn(reader, chatId), ALWAYS, 20_000),
      expected: 2,
    },
    'the newest message': {
      read: (reader, chatId) => newestVisible(reader, chatId, OWNER, ALWAYS),
      expected: 20_000,
    },
    'the newest message that both have': {
      read: (reader, chatId) => newestVisible(reader, chatId, null, ALWAYS),
      expected: 20_000,
    },
    'the oldest message': {
      read: (reader, chatId) => oldestVisible(reader, chatId, OWNER, { after: 0, before: 30_000 }),
      expected: 10_000,
    },
  };
  for (const [name, { read, expected }] of Object.entries(reads)) {
    test(name, async () => {
      const [short, long] = [await costOf((reader) => read(reader, 1)), await costOf((reader) => read(reader, 2))];
      assert.deepEqual([short.answer, long.answer], [expected, expected]);
      assert.equal(long.rows, short.rows);
    });
  }

  test('every list of boxes', async () => {
    for (const query of [q.boxesAfter, q.unreadBoxesAfter, q.activeBoxesAfter, q.unreadActiveBoxesAfter]) {
      const [short, long] = [
        await costOf((reader) => reader.all(query, OWNER, '', 1)),
        await costOf((reader) => reader.all(query, OWNER, 'u1', 1)),
      ];
      assert.deepEqual([mids(short.answer), mids(long.answer)], [['u1'], ['u2']]);
      assert.equal(long.rows, short.rows, query.postgres);
    }
  });
});

test('SQLite finds a run with one look into the index', () => {
  const database = new DatabaseSync(':memory:');
  createSqliteTables(database, newestVersion);
  const planOf = ({ sqlite }: Query<unknown>) =>
    database
      .prepare(`explain query plan ${sqlite}`)
      .all()
      .map(({ detail }) => String(detail));
  const start = 'SEARCH message USING COVERING INDEX message_withheld (only_for=? AND chat_id=? AND ';
  assert.deepEqual(planOf(q.runBelow), [`${start}withheld_after<?)`]);
  assert.deepEqual(planOf(q.endOfRun), [`${start}withheld_after=?)`]);
  assert.deepEqual(planOf(q.newestBetween), [
    'SEARCH message USING INDEX sqlite_autoindex_message_1 (chat_id=? AND id>? AND id<?)',
  ]);
  database.close();
});
