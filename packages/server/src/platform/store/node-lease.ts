// The number of this server among those that share a PostgreSQL database: ids of two servers never meet. A connection
// of its own holds it. When that is lost, another server may take the number. So this one gives out no id until it
// holds a number again.
import type { Node } from '../kernel/ids.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { StoreUnavailable } from './store.ts';

export interface NodeLeaseDeps {
  readonly connect: () => Promise<PostgresConnection>;
  /** How many numbers there are. */
  readonly max: number;
  /** The largest id in the store. */
  readonly newestId: () => Promise<number>;
  readonly onError: (error: Error) => void;
}

export interface NodeLease {
  /** @throws StoreUnavailable while no number is held */
  node(): Node;
  /** Looks whether the number is still held, and takes another one if not. To be called regularly. */
  keep(): Promise<void>;
}

export async function leaseNode({ connect, max, newestId, onError }: NodeLeaseDeps): Promise<NodeLease> {
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
      // The server that had the number before may have given out ids ahead of this server's clock.
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
    // The answer is a number: the connections of the store read no booleans.
    const got = await holder.query<{ taken: number }>(
      "select case when pg_try_advisory_lock(hashtext('sealpost.node'), $1) then 1 else 0 end as taken",
      [number],
    );
    if (got.rows[0]?.taken === 1) return number;
  }
  throw new StoreUnavailable(`all ${max} node numbers are taken by running servers on this database`);
}
