// Restores a backup: checks all of it, copies the objects, fills the database last.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../platform/kernel/config-error.ts';
import { writeAtomically } from '../../platform/kernel/files.ts';
import type { ServerPorts } from '../../platform/kernel/ports.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import { newestVersion } from '../../platform/store/migrate.ts';
import { openPlace, portsOf } from '../../start/adapters.ts';
import type { Config } from '../../start/config/config.ts';
import type { ConfigSources } from '../../start/config/sources.ts';
import { createOpened } from '../../start/opened.ts';
import { restoreMark } from '../../start/unfinished-restore.ts';
import { type BackupPlace, openBackupPlace } from '../backup/backup-place.ts';
import type { Manifest, ObjectList } from '../backup/manifest.ts';
import { listed } from '../backup/object-list.ts';
import { copyObject, problemOf } from '../copy-object.ts';
import { locationOf } from '../database/open-database.ts';
import { placeOf, serverConfig } from '../places.ts';
import type { OnProgress } from '../progress.ts';
import { beginIn, isUnfinished, undoIn } from './empty-places.ts';
import { type RestoredAt, requireEmptyDatabase, restoreDatabase } from './restore-database.ts';

export interface RestoreOptions {
  readonly sources: ConfigSources;
  readonly place: string;
  /** The id of the backup, or its beginning; the newest one if undefined. */
  readonly backup?: string | undefined;
  readonly onProgress?: OnProgress;
  readonly ports?: Partial<ServerPorts>;
}

export interface RestoreResult {
  readonly id: string;
  readonly time: number;
  readonly dataDir: string;
  readonly database: string;
  readonly rows: number;
  readonly objects: { readonly count: number; readonly bytes: number };
  /** Number of objects that were missing when the backup was made. */
  readonly missing: number;
}

/** A backup as the list of backups shows it. */
export interface ListedBackup {
  readonly id: string;
  readonly time: number;
  readonly version: string;
  readonly database: 'sqlite' | 'postgres';
  readonly rows: number;
  readonly objects: number;
  readonly bytes: number;
}

const rowsOf = ({ tables }: Manifest): number => tables.reduce((sum, { rows }) => sum + rows, 0);

export interface ListOptions extends Pick<RestoreOptions, 'sources' | 'place'> {
  /** Called for a backup whose manifest cannot be used. The others are listed. */
  readonly onUnusable?: (error: Error) => void;
}

/** Returns the backups in a place, oldest first. @throws Error if there are none, or if no manifest can be used */
export async function listBackups({
  sources,
  place: argument,
  onUnusable = () => {},
}: ListOptions): Promise<ListedBackup[]> {
  const place = await openBackupPlace(placeOf(argument, sources), serverConfig(sources).media.objectBytes);
  try {
    const found: ListedBackup[] = [];
    const ids = await place.ids();
    if (ids.length === 0) throw noBackup(place);
    for (const id of ids) {
      const manifest = await place.manifest(id).catch((error: Error) => {
        if (found.length === 0 && id === ids.at(-1)) throw error;
        onUnusable(error);
      });
      if (!manifest) continue;
      const { time, version, database, media, stickers } = manifest;
      const sizes = { objects: media.count + stickers.count, bytes: media.bytes + stickers.bytes };
      found.push({ id, time, version, database, rows: rowsOf(manifest), ...sizes });
    }
    return found;
  } finally {
    await place.close();
  }
}

export async function restore(options: RestoreOptions): Promise<RestoreResult> {
  const { sources, onProgress = () => {} } = options;
  if (sources.flags['data-dir'] === undefined)
    throw new ConfigError('restore needs --data-dir <folder>: the empty folder for the restored server.');
  const config = serverConfig(sources);
  const { media: settings } = config;
  const opened = createOpened();
  try {
    const place = opened.add(await openBackupPlace(placeOf(options.place, sources), settings.objectBytes));
    const id = await idOf(place, options.backup);
    const manifest = await place.manifest(id);
    requireKnownSchema(manifest);
    await requireEmptyDatabase(config, manifest.instance, isUnfinished(config.dataDir));
    await requireWhole(place, manifest, onProgress);
    beginIn(config.dataDir, { backup: id, place: place.location, database: locationOf(config.database) });
    const time = portsOf(options.ports).clock.now();
    await fill(config, place, manifest, { time, onProgress }).catch((error: unknown) => {
      undoIn(config.dataDir);
      throw error;
    });
    rmSync(restoreMark(config.dataDir));
    const { media, stickers } = manifest;
    return {
      ...{ id, time: manifest.time, dataDir: config.dataDir, rows: rowsOf(manifest) },
      database: config.database.kind === 'sqlite' ? config.database.path : 'postgres',
      objects: { count: media.count + stickers.count, bytes: media.bytes + stickers.bytes },
      missing: manifest.missing.length,
    };
  } finally {
    await opened.close();
  }
}

const noBackup = ({ location }: BackupPlace): Error =>
  new Error(`there is no whole backup in ${location}. Is it the right place?`);

async function idOf(place: BackupPlace, wanted: string | undefined): Promise<string> {
  const ids = await place.ids();
  const found = wanted === undefined ? ids.slice(-1) : ids.filter((id) => id.startsWith(wanted));
  const [id] = found;
  if (id !== undefined && found.length === 1) return id;
  if (ids.length === 0) throw noBackup(place);
  throw new Error(
    `${found.length === 0 ? 'no backup' : 'more than one backup'} in ${place.location} has an id that begins with ${wanted}. \`sealpost restore <place> --list\` shows all.`,
  );
}

function requireKnownSchema({ schemaVersion, version }: Manifest): void {
  if (schemaVersion > newestVersion) {
    throw new Error(
      `the backup was made by sealpost ${version} with schema version ${schemaVersion}, and this program knows up to ${newestVersion}. Use that version or a newer one.`,
    );
  }
}

/** Reads the whole backup. @throws Error that names the first part or object that is missing or damaged */
async function requireWhole(place: BackupPlace, manifest: Manifest, onProgress: OnProgress): Promise<void> {
  const parts = [
    ...manifest.tables.flatMap((table) => table.parts),
    ...(manifest.adminToken ? [manifest.adminToken] : []),
  ];
  for (const [done, part] of parts.entries()) {
    await place.readPart(part);
    onProgress({ what: 'checking tables', done: done + 1, all: parts.length });
  }
  for (const list of [manifest.media, manifest.stickers]) {
    let done = 0;
    for await (const object of listed(place, list)) {
      const problem = await problemOf(place.objects, object);
      if (problem !== undefined)
        throw new Error(
          `the backup is damaged: the object ${object.key} in ${place.objects.location}: ${problem}. Nothing was restored. Use another copy of the backup, or an older backup (--backup).`,
        );
      done += 1;
      onProgress({ what: 'checking objects', done, all: list.count });
    }
  }
}

async function fill(config: Config, place: BackupPlace, manifest: Manifest, restored: RestoredAt): Promise<void> {
  const { onProgress } = restored;
  const { objects: where, media: settings, dataDir } = config;
  const opened = createOpened();
  try {
    const media = opened.add(await openPlace(where, settings.objectBytes, ''));
    const stickers = opened.add(await openPlace(where, settings.objectBytes, 'stickers/'));
    await requireUnused(media, manifest.instance, dataDir);
    await media.claim(manifest.instance);
    await copyList(place, manifest.media, media, onProgress);
    await copyList(place, manifest.stickers, stickers, onProgress);
  } finally {
    await opened.close();
  }
  if (manifest.adminToken) {
    const token = await place.readPart(manifest.adminToken);
    writeAtomically('the admin token in', join(dataDir, 'admin-token'), token, 0o600);
  }
  await restoreDatabase(config, manifest, place, restored);
}

/** @throws Error if the place for the objects has objects of another server, or belongs to one that runs */
async function requireUnused(objects: Objects, instance: string, dataDir: string): Promise<void> {
  const owner = await objects.owner();
  const [some] = await objects.page('published', '', 1);
  if ((owner === undefined || owner === instance) && (some === undefined || owner === instance)) return;
  throw new Error(
    `the place for objects, ${objects.location}, is not empty${owner === undefined ? '' : `: it belongs to the server ${owner}`}. Name an empty one with --objects-url, or leave that out and the objects are put into ${dataDir}.`,
  );
}

async function copyList(place: BackupPlace, list: ObjectList, to: Objects, onProgress: OnProgress): Promise<void> {
  let done = 0;
  for await (const object of listed(place, list)) {
    await copyObject(object, { from: place.objects, to });
    done += 1;
    onProgress({ what: 'objects', done, all: list.count });
  }
}
