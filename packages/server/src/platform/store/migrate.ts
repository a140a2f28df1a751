// Migrations: numbered SQL files that both databases run. `{clustered}` makes SQLite keep a table in the order of its
// key; PostgreSQL has no such option. `{key}` is the type of a numeric primary key; on SQLite, this type makes the key
// the row number of the table. All other SQL is the same for both databases.
//
// A server of the version before may run on the same database at the same time. So a migration only adds. One that
// takes away what the version before still uses has a name that ends in `.contract.sql`. It waits until no running
// server is older than it.
import { readdirSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { ClientBase } from 'pg';
import { MARK_TABLE, READ_MARK, refuseMarked } from './database-mark.ts';
import { describeServers, olderServers } from './node-holders.ts';
import { unavailableIfLost } from './postgres-errors.ts';
import { isFull } from './sqlite-errors.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
  /** True if servers that do not know this migration cannot work after it. */
  readonly isContract: boolean;
}

const folder = new URL('./migrations/', import.meta.url);

export const ownMigrations: readonly Migration[] = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .sort()
  .map((name) => ({
    version: Number.parseInt(name, 10),
    name,
    text: readFileSync(new URL(name, folder), 'utf8'),
    isContract: name.endsWith('.contract.sql'),
  }));

const forDialect = (text: string, clustered: string, key: string): string =>
  text.replaceAll('{clustered}', clustered).replaceAll('{key}', key);

/** The newest version of the schema that this program knows. */
export const newestVersion = ownMigrations.at(-1)?.version ?? 0;
/** The oldest version of the schema with which this program works. The migrations after it may wait. */
export const leastVersion = ownMigrations.findLast(({ isContract }) => !isContract)?.version ?? 0;
/** The version with which the schema began to tell which of its versions are contracts. */
const CONTRACTS_SINCE = 24;

/** The key of the lock that a server holds while it migrates. */
export const MIGRATION_LOCK = "hashtext('sealpost.migrate')";
/** Milliseconds that a migration waits for a table. Meanwhile the calls of other servers wait behind it. */
const TABLE_WAIT_MS = 5_000;
/** The code of PostgreSQL's error for a lock that was not to be had in time. */
const LOCK_NOT_AVAILABLE = '55P03';

const CREATE_VERSIONS =
  'create table if not exists schema_version (version bigint primary key, applied_time bigint not null)';
const APPLIED = 'select coalesce(max(version), 0) as version from schema_version';
/** The version of the newest contract; 0 if there is none. */
const NEWEST_CONTRACT = 'select coalesce(max(version), 0) as version from schema_version where is_contract = 1';

/** How a migration is noted once it is applied. */
const noteOf = ({ version, isContract }: Migration, time: string): string =>
  isContract
    ? `insert into schema_version (version, applied_time, is_contract) values (${version}, ${time}, 1)`
    : `insert into schema_version (version, applied_time) values (${version}, ${time})`;

/**
 * @param contract the newest version of the database that only servers work with that know it
 * @throws Error if this program does not know that version
 */
export function refuseUnknownContract(contract: number, known: number, database: string): void {
  if (contract <= known) return;
  throw new Error(
    `${database} has schema version ${contract}, this server knows up to ${known}. Start a newer server, or restore a backup of the older schema.`,
  );
}

const newestOf = (migrations: readonly Migration[]): number => migrations.at(-1)?.version ?? 0;

const pending = (applied: number, upTo: number, migrations: readonly Migration[]): readonly Migration[] =>
  migrations.filter((m) => m.version > applied && m.version <= upTo);

/**
 * @param applied the version that the database keeps
 * @param cause the error of the migration
 */
const failure = ({ name }: Migration, applied: number, cause: unknown): Error =>
  new Error(
    `the migration ${name} failed: ${cause instanceof Error ? cause.message : cause}. Nothing was changed: the database has schema version ${applied} as before, and the server that used it can use it again. ${adviceOn(cause)}`,
    { cause },
  );

function adviceOn(cause: unknown): string {
  if ((cause as { readonly code?: string }).code === LOCK_NOT_AVAILABLE)
    return 'Wait for the end of what uses the table, for example a backup, and start this server again.';
  if (isFull(cause)) return 'Make room on the disk, and start this server again.';
  if (unavailableIfLost(cause, false) !== cause)
    return 'Look why PostgreSQL refused or lost the connection, for example a full disk, and start this server again.';
  return 'Run `sealpost verify` of that server, and repair what it names.';
}

/**
 * Brings the tables up to date for a server.
 * @throws Error if no server may use the database
 */
export function migrateSqlite(database: DatabaseSync, migrations = ownMigrations): void {
  const marked = database.prepare('select name from sqlite_master where name = ?').get(MARK_TABLE);
  const mark = marked && database.prepare(READ_MARK).get();
  refuseMarked(mark, 'the SQLite database');
  createSqliteTables(database, newestOf(migrations), migrations);
}

/** Brings the tables up to a version of the schema. Runs all migrations as one transaction, so a crash changes nothing. */
export function createSqliteTables(database: DatabaseSync, upTo: number, migrations = ownMigrations): void {
  database.exec(CREATE_VERSIONS);
  const numberOf = (sql: string): number => Number(database.prepare(sql).get()?.version);
  const applied = numberOf(APPLIED);
  if (applied >= CONTRACTS_SINCE)
    refuseUnknownContract(numberOf(NEWEST_CONTRACT), newestOf(migrations), 'The SQLite database');
  const newer = pending(applied, upTo, migrations);
  if (newer.length === 0) return;
  database.exec('begin immediate');
  try {
    for (const migration of newer) {
      try {
        database.exec(forDialect(migration.text, 'without rowid', 'integer'));
      } catch (error) {
        throw failure(migration, applied, error);
      }
      database.exec(noteOf(migration, "cast(unixepoch('subsec') * 1000 as integer)"));
    }
    database.exec('commit');
  } catch (error) {
    // An error such as a full disk may have ended the transaction already.
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

/**
 * Brings the tables up to date for a server. Lets one server migrate, while other servers that start at the same time
 * wait until the migration is done. What older servers on the database need is not taken away yet.
 * @returns the sentence that tells for which servers a migration waits; undefined if all migrations are done
 * @throws Error if no server may use the database
 */
export async function migratePostgres(
  client: ClientBase,
  migrations = ownMigrations,
  tableWaitMs = TABLE_WAIT_MS,
): Promise<string | undefined> {
  await client.query('begin');
  try {
    await client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    const marked = await client.query(
      `select tablename from pg_tables where schemaname = current_schema() and tablename = '${MARK_TABLE}'`,
    );
    const mark = marked.rows.length > 0 ? (await client.query(READ_MARK)).rows[0] : undefined;
    refuseMarked(mark, 'the PostgreSQL database');
    // Set after the lock of migrations, for which there is no limit.
    await client.query(`set local lock_timeout = ${tableWaitMs}`);
    const waiting = await addToPostgres(client, migrations);
    await client.query('commit');
    return waiting;
  } catch (error) {
    // The rollback of a lost connection fails too. Only the first error tells the cause.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function addToPostgres(client: ClientBase, migrations: readonly Migration[]): Promise<string | undefined> {
  const applied = await preparePostgres(client, migrations);
  const wanted = pending(applied, newestOf(migrations), migrations);
  for (const [at, migration] of wanted.entries()) {
    const older = migration.isContract ? await olderServers(client, migration.version) : [];
    if (older.length > 0) return waitFor(describeServers(older), migration, wanted.slice(at + 1));
    await applyToPostgres(client, applied, [migration]);
  }
  return undefined;
}

/**
 * Returns the sentence about a contract that waits for older servers.
 * @throws Error if this server needs one of the migrations after the contract
 */
function waitFor(servers: string, contract: Migration, following: readonly Migration[]): string {
  if (following.every(({ isContract }) => isContract))
    return `migration ${contract.name} waits, because older servers still run: ${servers}`;
  throw new Error(
    `this server cannot start beside older ones: it needs migration ${contract.name}, after which these do not work: ${servers}. Stop them first, or replace them by a version in between.`,
  );
}

/** Brings the tables up to a version of the schema, inside the transaction of the caller. */
export async function createPostgresTables(client: ClientBase, upTo: number): Promise<void> {
  const applied = await preparePostgres(client, ownMigrations);
  await applyToPostgres(client, applied, pending(applied, upTo, ownMigrations));
}

/** Returns the applied version. @throws Error if this program does not work with it */
async function preparePostgres(client: ClientBase, migrations: readonly Migration[]): Promise<number> {
  await client.query(CREATE_VERSIONS);
  const applied = await versionIn(client, APPLIED);
  if (applied >= CONTRACTS_SINCE) await requireKnownContracts(client, newestOf(migrations));
  return applied;
}

/** @throws Error if servers that know the schema up to a version cannot work with the database */
export async function requireKnownContracts(client: Pick<ClientBase, 'query'>, known: number): Promise<void> {
  refuseUnknownContract(await versionIn(client, NEWEST_CONTRACT), known, 'The PostgreSQL database');
}

async function versionIn(client: Pick<ClientBase, 'query'>, sql: string): Promise<number> {
  const { rows } = await client.query<{ version: number }>(sql);
  return Number(rows[0]?.version);
}

async function applyToPostgres(client: ClientBase, applied: number, migrations: readonly Migration[]): Promise<void> {
  for (const migration of migrations) {
    await client.query(forDialect(migration.text, '', 'bigint')).catch((error: unknown) => {
      throw failure(migration, applied, error);
    });
    await client.query(noteOf(migration, '(extract(epoch from now()) * 1000)::bigint'));
  }
}
