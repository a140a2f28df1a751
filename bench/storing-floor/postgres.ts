// The store of the storing floor on PostgreSQL: one connection, and one statement for all rows of a table.
import { systemPorts } from '../../packages/server/src/platform/kernel/system.ts';
import { PostgresConnections } from '../../packages/server/src/platform/store/postgres-connections.ts';
import { txOn } from '../../packages/server/src/platform/store/postgres-tx.ts';
import * as log from '../../packages/server/src/platform/stream/queries.ts';
import * as messaging from '../../packages/server/src/slices/messaging/queries.ts';
import { type FloorStore, SELECT_ACCOUNTS, type StoredAccount } from './rows.ts';

/** @param url the address of a database that a server has prepared */
export async function openPostgres(url: string): Promise<FloorStore> {
  const connections = new PostgresConnections({
    url,
    timers: systemPorts.timers,
    onError: (error) => {
      throw error;
    },
  });
  const client = await connections.connect();
  const { rows } = await client.query<StoredAccount>(SELECT_ACCOUNTS);
  return {
    accounts: rows,
    async write({ messages, locations, operations, heads }) {
      const tx = txOn(client, []);
      tx.begin();
      void tx.each(messaging.insertMessages, messages);
      void tx.each(messaging.locateMessages, locations);
      void tx.each(log.insertOperations, operations);
      void tx.each(log.raiseHeads, heads);
      await client.query('commit');
      await tx.requireWritten();
    },
  };
}
