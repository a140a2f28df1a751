// Makes a backup: a consistent copy of the database, then the objects that the copy names, then the manifest.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import type { ServerPorts } from '../../platform/kernel/ports.ts';
import { randomHex } from '../../platform/kernel/random-text.ts';
import { ObjectMissing, type Objects } from '../../platform/objects/objects.ts';
import { newestVersion } from '../../platform/store/migrate.ts';
import { openPlace, portsOf } from '../../start/adapters.ts';
import type { Config } from '../../start/config/config.ts';
import type { ConfigSources } from '../../start/config/sources.ts';
import { createOpened } from '../../start/opened.ts';
import { copyAlsoQuarantined, ObjectDamaged } from '../copy-object.ts';
import type { Database, Table } from '../database/database.ts';
import { viewDatabase } from '../database/open-database.ts';
import { dataTables, rowsOf, TableDigest } from '../database/rows.ts';
import { instanceOf, schemaVersionOf } from '../instance.ts';
import { placeOf, serverConfig } from '../places.ts';
import type { OnProgress } from '../progress.ts';
import * as q from '../queries.ts';
import { type BackupPlace, backupId, keysOf, openBackupPlace } from './backup-place.ts';
import { FORMAT, type Manifest, type MissingObject, type TableCopy } from './manifest.ts';
import { type ListedObject, listed, namedObjects, putList } from './object-list.ts';
import { PartWriter } from './part-writer.ts';
import { keepNewest, type Pruned } from './prune.ts';

export interface BackupOptions {
  readonly sources: ConfigSources;
  /** A folder, or `s3://<bucket>/<prefix>`. */
  readonly place: string;
  /** Number of backups to keep; older ones are removed. Undefined keeps all. */
  readonly keep?: number | undefined;
  /** True if objects that are in the backup already are not read again. */
  readonly trustExisting?: boolean | undefined;
  readonly onProgress?: OnProgress;
  readonly ports?: Partial<ServerPorts>;
}

export interface BackupResult {
  readonly id: string;
  readonly place: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly database: 'sqlite' | 'postgres';
  readonly tables: number;
  readonly rows: number;
  readonly objects: { readonly count: number; readonly bytes: number; readonly copied: number };
  /** Objects that the database names and that are missing or damaged at the server. */
  readonly missing: readonly MissingObject[];
  readonly adminToken: boolean;
  readonly removed: Pruned;
}

export async function backup(options: BackupOptions): Promise<BackupResult> {
  const { sources, onProgress = () => {} } = options;
  const config = serverConfig(sources);
  const target = placeOf(options.place, sources);
  const ports = portsOf(options.ports);
  const { clock, random } = ports;
  const opened = createOpened();
  try {
    const place = opened.add(await openBackupPlace(target, config.media.objectBytes, ports));
    const time = clock.now();
    const copy = await copyDatabase(config, place, onProgress);
    const copier = new ObjectCopier(config, place, options, onProgress);
    const media = await copier.copyNamed(copy.named);
    const stickers = await putList(place, await copier.copyStickers());
    const adminToken = await putAdminToken(config, place);
    const { named: _, ...facts } = copy;
    const manifest: Manifest = {
      ...{ format: FORMAT, version: packageJson.version, time, ...facts },
      ...{ media, stickers, missing: copier.missing, ...(adminToken && { adminToken }) },
    };
    const id = backupId(time, randomHex(random, 10));
    await place.requireAlone();
    await place.putManifest(manifest, id);
    const removed = await keepNewest(place, options.keep);
    const { copied, missing } = copier;
    return {
      ...{ id, place: place.location, time, database: manifest.database, tables: manifest.tables.length },
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      objects: { count: media.count + stickers.count, bytes: media.bytes + stickers.bytes, copied },
      ...{ missing, adminToken: adminToken !== undefined, removed },
    };
  } finally {
    await opened.close();
  }
}

/** Copies all tables of one moment, and lists the objects that they name. */
async function copyDatabase(config: Config, place: BackupPlace, onProgress: OnProgress) {
  const database = await viewDatabase(config.database);
  try {
    const schemaVersion = await schemaVersionOf(database);
    if (schemaVersion > newestVersion) {
      throw new Error(
        `the database has schema version ${schemaVersion}, this program knows up to ${newestVersion}. Use the program that runs the server.`,
      );
    }
    const instance = await instanceOf(database);
    await place.claim(instance);
    const tables: TableCopy[] = [];
    for (const table of await dataTables(database)) {
      tables.push(await copyTable(database, table, place, onProgress));
    }
    const named = await putList(place, namedObjects(database));
    return { database: database.kind, schemaVersion, instance, tables, named };
  } finally {
    await database.close();
  }
}

async function copyTable(
  database: Database,
  table: Table,
  place: BackupPlace,
  onProgress: OnProgress,
): Promise<TableCopy> {
  const writer = new PartWriter(place);
  const digest = new TableDigest();
  for await (const rows of rowsOf(database, table)) {
    for (const row of rows) {
      const line = JSON.stringify(row);
      digest.add(line);
      await writer.add(line);
    }
    onProgress({ what: `table ${table.name}`, done: digest.rows });
  }
  const columns = table.columns.map(({ name }) => name);
  return { name: table.name, columns, rows: digest.rows, hash: digest.hash, parts: await writer.end() };
}

/** Copies the objects of a server into a place of backups. */
class ObjectCopier {
  copied = 0;
  readonly missing: MissingObject[] = [];
  readonly #config: Config;
  readonly #place: BackupPlace;
  readonly #trustExisting: boolean;
  readonly #onProgress: OnProgress;

  constructor(config: Config, place: BackupPlace, { trustExisting = false }: BackupOptions, onProgress: OnProgress) {
    this.#config = config;
    this.#place = place;
    this.#trustExisting = trustExisting;
    this.#onProgress = onProgress;
  }

  /** Copies the objects of a list. Objects that have been removed in the meantime are left out of the returned list. */
  async copyNamed(list: Manifest['media']): Promise<Manifest['media']> {
    const from = await openPlace(this.#config.objects, this.#config.media.objectBytes, '');
    const copied = this.#copyAll(from, listed(this.#place, list), list.count);
    try {
      return await putList(this.#place, copied);
    } finally {
      await from.close();
    }
  }

  /** Copies the pictures of imported packs. No row names them, so all of them are copied. */
  async copyStickers(): Promise<readonly ListedObject[]> {
    const from = await openPlace(this.#config.objects, this.#config.media.objectBytes, 'stickers/');
    const found: ListedObject[] = [];
    try {
      for await (const key of keysOf(from, 'published')) {
        found.push(...(await this.#copy(from, { key, size: null, hash: null })));
      }
      return found;
    } finally {
      await from.close();
    }
  }

  async *#copyAll(from: Objects, objects: AsyncIterable<ListedObject>, all: number): AsyncGenerator<ListedObject> {
    let done = 0;
    for await (const object of objects) {
      yield* await this.#copy(from, object);
      done += 1;
      this.#onProgress({ what: 'objects', done, all });
    }
  }

  async #copy(from: Objects, object: ListedObject): Promise<readonly ListedObject[]> {
    try {
      const options = { from, to: this.#place.objects, trustExisting: this.#trustExisting };
      const found = await copyAlsoQuarantined(object, options);
      if (found.copied) this.copied += 1;
      return [{ key: object.key, size: found.size, hash: found.hash }];
    } catch (error) {
      if (!(error instanceof ObjectMissing || error instanceof ObjectDamaged)) throw error;
      if (await this.#isNamed(object.key)) {
        const problem = error instanceof ObjectMissing ? 'it is not there' : error.message;
        this.missing.push({ key: object.key, problem });
      }
      return [];
    }
  }

  /** Returns whether the database still names an object. A user may have removed it after the database was copied. */
  async #isNamed(key: string): Promise<boolean> {
    const database = await viewDatabase(this.#config.database);
    try {
      return (await database.reader.one(q.objectNamed, key)) !== undefined;
    } finally {
      await database.close();
    }
  }
}

async function putAdminToken({ dataDir }: Config, place: BackupPlace) {
  const path = join(dataDir, 'admin-token');
  return existsSync(path) ? place.putPart(readFileSync(path, 'utf8')) : undefined;
}
