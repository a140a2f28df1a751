// Makes all clients read everything again, after the database was set back by other means than `restore`.
import type { ServerPorts } from '../../platform/kernel/ports.ts';
import { portsOf } from '../../start/adapters.ts';
import type { ConfigSources } from '../../start/config/sources.ts';
import { refuseUnfinishedRestore } from '../../start/unfinished-restore.ts';
import { openExisting } from '../database/open-database.ts';
import { instanceOf, schemaVersionOf } from '../instance.ts';
import { serverConfig } from '../places.ts';
import * as q from '../queries.ts';
import { leaveOldRevisions } from './restore-database.ts';

export interface ResyncOptions {
  readonly sources: ConfigSources;
  readonly ports?: Partial<ServerPorts>;
}

export interface ResyncResult {
  /** The place of the database, without credentials. */
  readonly database: string;
  /** Number of accounts whose clients read everything again. */
  readonly accounts: number;
}

/** @throws Error if the database has no data of a server, or if a server runs on it */
export async function resync({ sources, ports }: ResyncOptions): Promise<ResyncResult> {
  const config = serverConfig(sources);
  refuseUnfinishedRestore(config.dataDir);
  const database = await openExisting(config.database);
  try {
    await schemaVersionOf(database);
    await instanceOf(database);
    await database.transact(() => leaveOldRevisions(database, portsOf(ports).clock.now()));
    const counted = await database.reader.one(q.countRows('operation_head'));
    return { database: database.location, accounts: counted?.count ?? 0 };
  } finally {
    await database.close();
  }
}
