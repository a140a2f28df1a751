// The servers that run on a PostgreSQL database. Each holds the lock of its node number, and a row tells what it is. So
// a server that crashed is gone at once, although its row stays.
import type { ClientBase } from 'pg';

/** The first key of the advisory locks that servers hold for their node numbers. The second key is the number. */
export const NODE_LOCKS = "hashtext('sealpost.node')";

/** What a server tells of itself. */
export interface ServerFacts {
  /** The version of the program, such as `0.1.0`. */
  readonly program: string;
  /** The newest version of the schema that the server knows. */
  readonly schema: number;
  readonly host: string;
  /** Epoch milliseconds. */
  readonly startedTime: number;
}

interface OlderServer {
  readonly node: number;
  readonly program: string | null;
  readonly host: string | null;
}

type Client = Pick<ClientBase, 'query'>;

/** Tells what the server with a node number is. */
export async function tellServer(client: Client, node: number, facts: ServerFacts): Promise<void> {
  await client.query(
    `insert into node_holder (node, program, schema, host, started_time) values ($1, $2, $3, $4, $5)
     on conflict (node) do update set program = excluded.program, schema = excluded.schema, host = excluded.host,
       started_time = excluded.started_time`,
    [node, facts.program, facts.schema, facts.host, facts.startedTime],
  );
}

/** Returns the running servers that do not know a version of the schema. */
export async function olderServers(client: Client, version: number): Promise<readonly OlderServer[]> {
  const { rows } = await client.query<OlderServer>(
    `select held.objid::bigint as node, server.program, server.host
     from pg_locks held left join node_holder server on server.node = held.objid::bigint
     where held.locktype = 'advisory' and held.granted and held.objsubid = 2
       and held.database = (select oid from pg_database where datname = current_database())
       and held.classid::bigint = (${NODE_LOCKS}::bigint & 4294967295)
       and coalesce(server.schema, 0) < $1
     order by node`,
    [version],
  );
  return rows;
}

/** Returns the names of servers for a sentence. */
export const describeServers = (servers: readonly OlderServer[]): string =>
  servers
    .map(({ node, program, host }) =>
      program === null ? `server ${node} of an older version` : `server ${node} (Sealpost ${program} on ${host})`,
    )
    .join(', ');
