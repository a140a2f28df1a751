// The store of the storing floor on SQLite.
import path from 'node:path';
import type { SetQuery, Value } from '../../packages/server/src/platform/store/sql.ts';
import { connect } from '../../packages/server/src/platform/store/sqlite-connection.ts';
import * as log from '../../packages/server/src/platform/stream/queries.ts';
import * as messaging from '../../packages/server/src/slices/messaging/queries.ts';
import { type FloorStore, SELECT_ACCOUNTS, type StoredAccount } from './rows.ts';

/** @param folder the folder of a server */
export function openSqlite(folder: string): FloorStore {
  const database = connect(path.join(folder, 'data', 'sealpost.db'));
  const begin = database.prepare('begin immediate');
  const commit = database.prepare('commit');
  const writerOf = (query: SetQuery): ((rows: readonly (readonly Value[])[]) => void) => {
    const statement = database.prepare(query.sqlite);
    return (rows) => {
      for (const row of rows) statement.get(...row);
    };
  };
  const insertMessages = writerOf(messaging.insertMessages);
  const locateMessages = writerOf(messaging.locateMessages);
  const insertOperations = writerOf(log.insertOperations);
  const raiseHeads = writerOf(log.raiseHeads);
  return {
    accounts: database.prepare(SELECT_ACCOUNTS).all() as unknown as StoredAccount[],
    write({ messages, locations, operations, heads }) {
      begin.get();
      insertMessages(messages);
      locateMessages(locations);
      insertOperations(operations);
      raiseHeads(heads);
      commit.get();
    },
  };
}
