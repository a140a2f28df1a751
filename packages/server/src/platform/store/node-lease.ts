// The node number of this server. Servers that share a PostgreSQL database have different numbers, so their ids never
// collide. A separate connection holds the number. If that connection is lost, another server may take the number. So
// this server creates no ids until it holds a number again.
import type { Node } from '../kernel/ids.ts';
import { NODE_LOCKS } from './node-holders.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { StoreUnavailable } from './store.ts';

export interface NodeLeaseDeps {
  readonly connect: () => Promise<PostgresConnection>;
  /** The number of different node numbers. */
  readonly max: number;
  /** The largest id in the store. */
  readonly newestId: () => Promise<number>;
  /** Tells the other servers what the server with this number is. @throws Error if it cannot work with the database */
  readonly register: (holder: PostgresConnection, number: number) => Promise<void>;
  readonly onError: (error: Error) => void;
}

export interface NodeLease {
  /** @throws StoreUnavailable while no number is held */
  node(): Node;
  /**
   * Checks whether this server still holds its number, and takes a number if it does not. Called at regular intervals.
   */
  keep(): Promise<void>;
}

export async function leaseNode({ connect, max, newestId, register, onError }: NodeLeaseDeps): Promise<NodeLease> {
  let held: { readonly holder: PostgresConnection; readonly node: Node } | undefined;
  let looking: Promise<void> | undefined;

  async function take(): Promise<void> {
    const holder = await connect();
    let alive = true;
    const lost = (): void => {
      alive = false;
      if (held?.holder === holder) held = undefined;
    };
    holder.once('error', lost).once('end', lost);
    try {
      const number = await lockFreeNumber(holder, max);
      await register(holder, number);
      // New ids must exceed the newest one, because the previous holder of the number may have created ids ahead of
      // this server's clock.
      const newest = await newestId();
      if (alive) held = { holder, node: { number, newest } };
    } catch (error) {
      await holder.leave().catch(onError);
      throw error;
    }
  }

  function keep(): Promise<void> {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  async function look(): Promise<void> {
    if (held) await held.holder.query('select 1');
    else await take();
  }

  await keep();
  return {
    node() {
      if (held) return held.node;
      throw new StoreUnavailable('this server holds no node number, because its connection to PostgreSQL was lost');
    },
    keep,
  };
}

async function lockFreeNumber(holder: PostgresConnection, max: number): Promise<number> {
  for (let number = 0; number < max; number++) {
    // The query returns a number, because the connections of the store cannot read booleans.
    const got = await holder.query<{ taken: number }>(
      `select case when pg_try_advisory_lock(${NODE_LOCKS}, $1) then 1 else 0 end as taken`,
      [number],
    );
    if (got.rows[0]?.taken === 1) return number;
  }
  throw new StoreUnavailable(`all ${max} node numbers are taken by running servers on this database`);
}
