// The statements of a send, as the server runs them: its own queries, on its own tables, for a group of sends at once.
// Here a group is a transaction on one database, or the part of a transaction that one of two databases has.
import pg from 'pg';
import { createPostgresTables, newestVersion } from '../../packages/server/src/platform/store/migrate.ts';
import type { SetQuery } from '../../packages/server/src/platform/store/sql.ts';
import * as log from '../../packages/server/src/platform/stream/queries.ts';
import { guardedPairs } from '../../packages/server/src/slices/contacts/queries.ts';
import * as messaging from '../../packages/server/src/slices/messaging/queries.ts';

/** A message from one account to another. */
export interface Send {
  readonly id: number;
  readonly chat: number;
  readonly sender: number;
  readonly receiver: number;
  readonly body: string;
}

/** An entry for the log of an account. `sent` is true in the log of the sender. */
export interface Entry {
  readonly account: number;
  readonly send: Send;
  readonly sent: boolean;
}

type Heads = Map<number, { revision: number; last_message_id: number }>;
type Cell = string | number | null;

const BODY_BYTES = 700;
const SEND_TYPE = 25;
const RECEIVE_TYPE = 26;

/** A body as long as those of the sends that `npm run bench` makes. */
export const body = JSON.stringify({ text: 'x'.repeat(BODY_BYTES - '{"text":""}'.length) });

export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, pipeline: true });
  await client.connect();
  return client;
}

/** Makes the server's tables, and accounts with the odd numbers and the next even number as pairs with a chat. */
export async function fill(client: pg.Client, accounts: number, operations: number): Promise<void> {
  await client.query('begin');
  await createPostgresTables(client, newestVersion);
  await client.query('commit');
  await client.query(`insert into operation_head (account_id, revision, first_revision, last_message_id)
    select i, ${operations}, 1, ${operations} from generate_series(1, ${accounts}) i`);
  await client.query(`insert into operation (account_id, revision, type, created_time, req_seq, chat_id, message_id)
    select i, r, 26, 0, 0, (i + 1) / 2, r from generate_series(1, ${operations}) r, generate_series(1, ${accounts}) i`);
  await client.query(`insert into message (chat_id, id, sender_id, content_type, created_time, body)
    select c, r, 2 * c - 1, 0, 0, '{}' from generate_series(1, ${operations}) r, generate_series(1, ${accounts} / 2) c`);
  await client.query('vacuum analyze');
}

async function each<R>(client: pg.Client, query: SetQuery<R>, rows: readonly (readonly Cell[])[]): Promise<R[]> {
  if (rows.length === 0) return [];
  const values = query.columns.map((_, at) => rows.map((row) => row[at]));
  return (await client.query({ name: query.id, text: query.postgres, values })).rows as R[];
}

/** Locks the logs of accounts, and looks for blocks between the pairs. */
export async function lock(client: pg.Client, accounts: readonly number[], pairs: readonly Send[]): Promise<Heads> {
  const ids = [...new Set(accounts)].sort((a, b) => a - b);
  const [heads] = await Promise.all([
    each(
      client,
      log.lockHeads,
      ids.map((id) => [id]),
    ),
    each(
      client,
      guardedPairs,
      pairs.map(({ sender, receiver }) => [sender, receiver]),
    ),
  ]);
  return new Map(
    heads.map((head) => [
      Number(head.account_id),
      { revision: Number(head.revision), last_message_id: Number(head.last_message_id) },
    ]),
  );
}

/** Stores messages, and adds the entries to logs whose heads are locked. */
export async function store(
  client: pg.Client,
  sends: readonly Send[],
  entries: readonly Entry[],
  heads: Heads,
): Promise<void> {
  const now = Date.now();
  const rows = entries.map(({ account, send, sent }): Cell[] => {
    const head = heads.get(account);
    if (!head) throw new Error(`account ${account} has no log on this database`);
    head.revision += 1;
    head.last_message_id = Math.max(head.last_message_id, send.id);
    const [type, session, fingerprint] = sent ? [SEND_TYPE, account, `f${send.id}`] : [RECEIVE_TYPE, null, null];
    return [
      account,
      head.revision,
      type,
      now,
      sent ? 1 : 0,
      send.chat,
      send.id,
      null,
      null,
      null,
      session,
      fingerprint,
    ];
  });
  await Promise.all([
    each(
      client,
      messaging.insertMessages,
      sends.map((send) => [send.chat, send.id, send.sender, 0, now, null, null, send.body]),
    ),
    each(
      client,
      messaging.locateMessages,
      sends.map(({ id, chat }) => [id, chat]),
    ),
    each(client, log.insertOperations, rows),
    each(
      client,
      log.raiseHeads,
      [...heads].map(([account, head]) => [account, head.revision, head.last_message_id]),
    ),
  ]);
}

export const bySender = (send: Send): Entry => ({ account: send.sender, send, sent: true });
export const toReceiver = (send: Send): Entry => ({ account: send.receiver, send, sent: false });
