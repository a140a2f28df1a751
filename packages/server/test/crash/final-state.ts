// Reads the final state when all clients are quiet: the streams from the beginning, the chats of each side, and the
// tables.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Recorded } from './clients.ts';
import type { KillableServer } from './killable-server.ts';
import type { FinalChat, History, ReadMessage, Stream, Tables } from './model.ts';
import type { Person } from './server-with-crash-points.ts';
import { call, readStream } from './wire.ts';

const PAGE = 100;

/** Where the tables are: in PostgreSQL, or in an SQLite file in the data folder. */
type Place = Pick<KillableServer, 'databaseUrl' | 'dataDir'>;

/** Returns what was recorded, together with the final state. */
export async function historyOf(
  server: Pick<KillableServer, 'url'> & Place,
  people: readonly Person[],
  recorded: Recorded,
): Promise<History> {
  const others = (person: Person) => people.filter((other) => other !== person);
  return {
    ...recorded,
    replays: await Promise.all(people.map((person) => replayOf(server, person))),
    chats: (await Promise.all(people.map((person) => chatsOf(server, person, others(person))))).flat(),
    tables: await tablesOf(server),
  };
}

export async function replayOf(server: Pick<KillableServer, 'url'>, person: Person): Promise<Stream> {
  const url = await server.url();
  const head = Number(await call<string>(url, person, 'getLastOpRevision', []));
  const replay: Stream = { account: person.mid, cursor: 0, deliveries: [] };
  if (head === 0) return replay;
  const done = new AbortController();
  await readStream(url, person, 0, done.signal, (operation, id) => {
    replay.deliveries.push({
      revision: Number(operation.revision),
      id,
      type: operation.type,
      messageId: operation.message?.id,
      text: operation.message?.text,
      content: JSON.stringify(operation),
    });
    if (id >= head) done.abort();
  });
  return replay;
}

interface Box {
  readonly unreadCount: string;
  readonly lastDeliveredMessageId?: { readonly messageId: string };
}
type Ranges = { readonly ranges: Readonly<Record<string, readonly { readonly endMessageId: string }[]>> }[];

export async function chatsOf(
  server: Pick<KillableServer, 'url'>,
  person: Person,
  peers: readonly Person[],
): Promise<FinalChat[]> {
  const url = await server.url();
  const chats: FinalChat[] = [];
  const request = { messageBoxIds: peers.map((peer) => peer.mid), withUnreadCount: true, lastMessagesCount: 1 };
  const { messageBoxesByIds } = await call<{ messageBoxesByIds: Record<string, Box> }>(
    url,
    person,
    'getMessageBoxesByIds',
    [request, 0],
  );
  for (const peer of peers) {
    const box = messageBoxesByIds[peer.mid];
    if (!box) continue;
    const ranges = await call<Ranges>(url, person, 'getMessageReadRange', [[peer.mid], 0]);
    chats.push({
      account: person.mid,
      peer: peer.mid,
      messages: await messagesOf(url, person, peer),
      unread: Number(box.unreadCount),
      readUpTo: ranges[0]?.ranges[person.mid]?.at(-1)?.endMessageId,
      lastMessageId: box.lastDeliveredMessageId?.messageId,
    });
  }
  return chats;
}

async function messagesOf(url: string, person: Person, peer: Person): Promise<ReadMessage[]> {
  const found: ReadMessage[] = [];
  for (let before: string | undefined; ; ) {
    const page = await call<ReadMessage[]>(url, person, 'getPreviousMessagesV2WithRequest', [
      { messageBoxId: peer.mid, messagesCount: PAGE, ...(before && { endMessageId: { messageId: before } }) },
      0,
    ]);
    found.push(...page);
    before = page.at(-1)?.id;
    if (page.length < PAGE) return found.reverse();
  }
}

const HEADS =
  'select a.mid as account, h.revision as revision from operation_head h join account a on a.id = h.account_id';
const OPERATIONS = `select a.mid as account, o.revision as revision, o.type as type, cast(o.message_id as text) as "messageId"
  from operation o join account a on a.id = o.account_id`;
const MESSAGES = 'select cast(id as text) as id, body from message';
const REQUESTS = `select a.mid as account, o.req_seq as "reqSeq", cast(o.message_id as text) as "messageId"
  from operation o join account a on a.id = o.account_id where o.session_id is not null`;

type Row = Record<string, string | number | null>;

/** Reads the tables directly from the database, without the server. */
export async function tablesOf({ databaseUrl, dataDir }: Place): Promise<Tables> {
  const select = databaseUrl === undefined ? sqliteReader(dataDir) : await postgresReader(databaseUrl);
  const heads = await select.all(HEADS);
  const operations = await select.all(OPERATIONS);
  const messages = await select.all(MESSAGES);
  const requests = await select.all(REQUESTS);
  await select.close();
  const numbered = (rows: Row[], ...columns: string[]): Row[] =>
    rows.map((row) => ({
      ...row,
      ...Object.fromEntries(columns.map((column) => [column, Number(row[column])])),
    }));
  return {
    heads: numbered(heads, 'revision') as unknown as Tables['heads'],
    operations: numbered(operations, 'revision', 'type').map((row) => ({
      ...row,
      messageId: row.messageId ?? undefined,
    })) as unknown as Tables['operations'],
    messages: messages.map((row) => ({
      id: row.id as string,
      text: (JSON.parse(row.body as string) as { text: string }).text,
    })),
    requests: numbered(requests, 'reqSeq') as unknown as Tables['requests'],
  };
}

interface Select {
  all(text: string): Promise<Row[]>;
  close(): Promise<void>;
}

function sqliteReader(dataDir: string): Select {
  const database = new DatabaseSync(join(dataDir, 'sealpost.db'), { readOnly: true });
  return {
    all: async (text) => database.prepare(text).all() as Row[],
    close: async () => database.close(),
  };
}

async function postgresReader(url: string): Promise<Select> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    all: async (text) => (await client.query<Row>(text)).rows,
    close: () => client.end(),
  };
}
