// Measures what pieces of work cost the database: sends of the server, entries in logs, and bytes that stay. Also
// measures sends among so many accounts that each send touches pages of its own.
import { lagging, lastOfNext } from '../../packages/server/src/platform/subscriber/queries.ts';
import type { LoadProcess } from '../load-process.ts';
import type { User } from '../request.ts';
import { body, bySender, connect, fill, lock, type Send, store, toReceiver } from '../shards/sends.ts';
import { costOfEach, type DatabaseServer } from './server.ts';

export interface Cost {
  readonly cpuMicros: number;
  readonly walBytes: number;
  readonly pageImages: number;
  /** Processor time of the server, without that of the database. */
  readonly serverMicros?: number;
}

export interface Target {
  readonly database: DatabaseServer;
  readonly load: LoadProcess;
  readonly port: number;
  readonly pid: number;
  readonly users: readonly User[];
  readonly ms: number;
}

const SCANNED_AT_ONCE = 2000;
const SCATTERED_GROUP = 64;

/** Measures sends from user to user, each with its delivery. */
export async function measureSends(target: Target, inFlight: number): Promise<Cost> {
  const { database, load, port, pid, users, ms } = target;
  const before = [await database.spent(), await countOf(database, 'message')] as const;
  const sent = await load.send({ port, pid, users, inFlight, delivered: true, warmUpMs: 300, measureMs: ms });
  const count = (await countOf(database, 'message')) - before[1];
  return { ...costOfEach(before[0], await database.spent(), count), serverMicros: sent.cpuMicros };
}

/** Measures deliveries of sends to a group whose members all read. */
export async function measureGroup(target: Target, chatMid: string, inFlight: number): Promise<Cost> {
  const { database, load, port, pid, users, ms } = target;
  const before = [await database.spent(), await countOf(database, 'operation')] as const;
  const order = { port, pid, chatMid, members: users, inFlight, warmUpMs: 300, measureMs: ms };
  const sent = await load.sendToGroup(order);
  const count = (await countOf(database, 'operation')) - before[1];
  return { ...costOfEach(before[0], await database.spent(), count), serverMicros: sent.cpuMicrosPerDelivery };
}

const countOf = async ({ client }: DatabaseServer, table: string): Promise<number> =>
  Number((await client.query<{ n: string }>(`select count(*) as n from ${table}`)).rows[0]?.n);

/** Returns rows and bytes of tables with their indexes. The rows are those of the first table. */
export async function sizeOf({ client }: DatabaseServer, tables: readonly [string, ...string[]]) {
  const { rows } = await client.query<{ rows: string; bytes: string }>(
    `select (select count(*) from ${tables[0]}) as rows, sum(pg_total_relation_size(name::regclass)) as bytes
     from unnest($1::text[]) name`,
    [tables],
  );
  return { rows: Number(rows[0]?.rows), bytes: Number(rows[0]?.bytes) };
}

/** Makes a store of many accounts, and measures sends between pairs that were drawn at random, after a checkpoint. */
export async function measureScattered(
  database: DatabaseServer,
  { accounts, operations, ms }: { accounts: number; operations: number; ms: number },
): Promise<Cost> {
  await fill(database.client, accounts, operations);
  const client = await connect(database.url);
  await client.query('checkpoint');
  const before = await database.spent();
  let id = 1_000_000_000;
  let count = 0;
  for (const begin = performance.now(); performance.now() - begin < ms; count += SCATTERED_GROUP) {
    const chats = new Set<number>();
    while (chats.size < SCATTERED_GROUP) chats.add(1 + Math.floor(Math.random() * (accounts / 2)));
    const sends = [...chats].map((chat): Send => {
      id += 1;
      return { id, chat, sender: 2 * chat - 1, receiver: 2 * chat, body };
    });
    void client.query('begin');
    const parties = sends.flatMap(({ sender, receiver }) => [sender, receiver]);
    const heads = await lock(client, parties, sends);
    const entries = sends.flatMap((send) => [bySender(send), toReceiver(send)]);
    await Promise.all([store(client, sends, entries, heads), client.query('commit')]);
  }
  await client.end();
  return costOfEach(before, await database.spent(), count);
}

/** Measures one scan of all logs for operations that a log subscriber has not handled. All are handled. */
export async function measureScan(database: DatabaseServer): Promise<{ ms: number; cpuMs: number }> {
  const client = await connect(database.url);
  await client.query(`insert into subscriber_cursor (account_id, subscriber, revision)
    select account_id, 'bench', revision from operation_head`);
  await client.query('vacuum analyze subscriber_cursor');
  const before = await database.spent();
  const begin = performance.now();
  for (let after = 0; ; ) {
    const next = { name: lastOfNext.id, text: lastOfNext.postgres, values: [after, SCANNED_AT_ONCE] };
    const last = (await client.query<{ last: string | null }>(next)).rows[0]?.last ?? null;
    if (last === null) break;
    await client.query({ name: lagging.id, text: lagging.postgres, values: ['bench', after, last] });
    after = Number(last);
  }
  const ms = performance.now() - begin;
  await client.end();
  return { ms, cpuMs: costOfEach(before, await database.spent(), 1).cpuMicros / 1000 };
}
