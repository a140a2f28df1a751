// Three ways to store a send: in one database, in two with two-phase commit, and in two with an outbox and a relay.
// All promise the same: an answered send is on disk, and is in the log of its receiver exactly once, even after a crash.
import type pg from 'pg';
import { bySender, connect, lock, type Send, store, toReceiver } from './sends.ts';

/** A running way to store sends. */
export interface Way {
  /** Stores a group of sends of one home. Resolves when they can be answered. */
  write(lane: number, sends: readonly Send[]): Promise<void>;
  stop(): Promise<void>;
}

/** Called with sends when they are in the logs of their receivers, for every reader to see. */
export type Received = (sends: readonly Send[]) => void;

const RELAY_MOST = 256;

/** Number of distributed transactions so far. */
let number = 0;

/** The tables that the ways need beside those of the server. */
export const TABLES = `
create table decided (gid text primary key);
create table outbox (sequence bigint generated always as identity primary key, chat_id bigint not null,
  message_id bigint not null, sender_id bigint not null, receiver_id bigint not null, body text not null);
create table applied (source bigint not null, sequence bigint not null, primary key (source, sequence));`;

/** Gives each lane its own connection to each database. */
async function connections(urls: readonly string[], lanes: number): Promise<pg.Client[][]> {
  const perLane = Array.from({ length: lanes }, () => Promise.all(urls.map(connect)));
  return Promise.all(perLane);
}
const endAll = async (clients: readonly (readonly pg.Client[])[]): Promise<void> => {
  await Promise.all(clients.flat().map((client) => client.end()));
};

/** Stores both sides of a send in one transaction. */
export async function oneDatabase(url: string, lanes: number, received: Received): Promise<Way> {
  const clients = await connections([url], lanes);
  return {
    async write(lane, sends) {
      const [client] = clients[lane] as [pg.Client];
      void client.query('begin');
      const parties = sends.flatMap(({ sender, receiver }) => [sender, receiver]);
      const heads = await lock(client, parties, sends);
      const entries = sends.flatMap((send) => [bySender(send), toReceiver(send)]);
      await Promise.all([store(client, sends, entries, heads), client.query('commit')]);
      received(sends);
    },
    stop: () => endAll(clients),
  };
}

/**
 * Stores the sender's side at home and the receiver's side on the other database, in one distributed transaction. The
 * home's own commit is the decision, so the home needs no step of preparation. Its row in `decided` tells a recovery
 * what to do with the other part.
 */
export async function twoPhase(urls: readonly [string, string], lanes: number, received: Received): Promise<Way> {
  const clients = await connections(urls, lanes);
  return {
    async write(lane, sends) {
      const pair = clients[lane] as [pg.Client, pg.Client];
      const home = homeOf(sends);
      const [here, there] = [pair[home], pair[1 - home]] as [pg.Client, pg.Client];
      const gid = `${process.pid}.${++number}`;
      void here.query('begin');
      void there.query('begin');
      // All transactions take the locks of the first database before those of the second, so that no two of them wait
      // for each other.
      const lockHere = () => lock(here, sends.map(({ sender }) => sender), []); // biome-ignore format: one line reads better
      const lockThere = () => lock(there, sends.map(({ receiver }) => receiver), sends); // biome-ignore format: as above
      const first = home === 0 ? await lockHere() : await lockThere();
      const second = home === 0 ? await lockThere() : await lockHere();
      const [heads, otherHeads] = home === 0 ? [first, second] : [second, first];
      await Promise.all([
        store(here, sends, sends.map(bySender), heads),
        store(there, sends, sends.map(toReceiver), otherHeads),
        here.query('insert into decided values ($1)', [gid]),
        there.query(`prepare transaction '${gid}'`),
      ]);
      await here.query('commit');
      await there.query(`commit prepared '${gid}'`);
      received(sends);
    },
    stop: () => endAll(clients),
  };
}

/**
 * Stores the sender's side and a row of the outbox in one transaction at home. A relay for each database carries the
 * rows to the other one, where `applied` removes repeats.
 */
export async function outbox(urls: readonly [string, string], lanes: number, received: Received): Promise<Way> {
  const clients = await connections(urls, lanes);
  const relays = await Promise.all([0, 1].map((source) => startRelay(urls, source, received)));
  return {
    async write(lane, sends) {
      const home = homeOf(sends);
      const client = (clients[lane] as pg.Client[])[home] as pg.Client;
      void client.query('begin');
      const heads = await lock(client, sends.map(({ sender }) => sender), []); // biome-ignore format: one line reads better
      await Promise.all([
        store(client, sends, sends.map(bySender), heads),
        client.query(putInto(sends)),
        client.query('commit'),
      ]);
      relays[home]?.wake();
    },
    async stop() {
      await Promise.all(relays.map((relay) => relay.stop()));
      await endAll(clients);
    },
  };
}

const putInto = (sends: readonly Send[]) => ({
  name: 'put',
  text: `insert into outbox (chat_id, message_id, sender_id, receiver_id, body)
    select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[])`,
  values: [
    sends.map(({ chat }) => chat),
    sends.map(({ id }) => id),
    sends.map(({ sender }) => sender),
    sends.map(({ receiver }) => receiver),
    sends.map(({ body }) => body),
  ],
});

interface OutboxRow {
  readonly sequence: string;
  readonly chat_id: string;
  readonly message_id: string;
  readonly sender_id: string;
  readonly receiver_id: string;
  readonly body: string;
}

/** Starts a relay, which carries rows until it is stopped, and at its stop all that are left. */
async function startRelay(urls: readonly [string, string], source: number, received: Received) {
  const [from, to] = await Promise.all([connect(urls[source] as string), connect(urls[1 - source] as string)]);
  let wanted = true;
  let ending = false;
  let wake = (): void => {};
  /** The rows of the last round. They are gone from the outbox for good, so nobody will bring them again. */
  let gone: readonly string[] = [];

  async function carry(): Promise<number> {
    const { rows } = await from.query<OutboxRow>({
      name: 'next',
      text: 'select * from outbox order by sequence limit $1',
      values: [RELAY_MOST],
    });
    if (rows.length === 0) return 0;
    const sends = await apply(to, source, rows, gone);
    received(sends);
    gone = rows.map(({ sequence }) => sequence);
    await from.query({ name: 'gone', text: 'delete from outbox where sequence = any($1::bigint[])', values: [gone] });
    return rows.length;
  }
  const running = (async () => {
    while (true) {
      wanted = false;
      if ((await carry()) > 0 || wanted) continue;
      if (ending) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  })();
  const rouse = (): void => {
    wanted = true;
    wake();
  };
  return {
    wake: rouse,
    async stop() {
      ending = true;
      rouse();
      await running;
      await endAll([[from, to]]);
    },
  };
}

/**
 * Writes rows of an outbox into the logs of their receivers, those that were applied before left out.
 * @param gone rows that are no longer in the outbox, and need not be remembered
 */
export async function apply(
  to: pg.Client,
  source: number,
  rows: readonly OutboxRow[],
  gone: readonly string[],
): Promise<Send[]> {
  void to.query('begin');
  const fresh = to.query<{ sequence: string }>({
    name: 'apply',
    text: `insert into applied (source, sequence) select $1::bigint, unnest($2::bigint[])
      on conflict do nothing returning sequence`,
    values: [source, rows.map(({ sequence }) => sequence)],
  });
  if (gone.length > 0)
    void to.query({
      name: 'forget',
      text: 'delete from applied where source = $1 and sequence = any($2::bigint[])',
      values: [source, gone],
    });
  const news = new Set((await fresh).rows.map(({ sequence }) => sequence));
  const sends = rows.filter(({ sequence }) => news.has(sequence)).map(sendOf);
  const heads = await lock(to, sends.map(({ receiver }) => receiver), sends); // biome-ignore format: one line reads better
  await Promise.all([store(to, sends, sends.map(toReceiver), heads), to.query('commit')]);
  return sends;
}

const sendOf = (row: OutboxRow): Send => ({
  id: Number(row.message_id),
  chat: Number(row.chat_id),
  sender: Number(row.sender_id),
  receiver: Number(row.receiver_id),
  body: row.body,
});

/** Returns the number of the database that is the home of a group's chats: pairs alternate. */
export function homeOf(sends: readonly Send[]): 0 | 1 {
  return ((sends[0] as Send).chat % 2) as 0 | 1;
}
