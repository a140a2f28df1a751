// The folder or bucket of backups. It has three object stores: `backups` with one manifest for each backup, `parts` with
// the pieces of their tables, and `objects` with media and stickers. Backups share parts and objects.
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Ports } from '@sealpost/contract/ports';
import { createPrivate, makeFolder } from '../../platform/kernel/files.ts';
import type { ObjectKey, Objects } from '../../platform/objects/objects.ts';
import { wholeOf } from '../../platform/objects/objects.ts';
import { openPlace } from '../../start/adapters.ts';
import type { ObjectsConfig } from '../../start/config/objects.ts';
import { createOpened } from '../../start/opened.ts';
import { lockFile } from '../../start/server-lock.ts';
import { type BucketLock, lockBucket } from './bucket-lock.ts';
import { type Manifest, manifestText, type Part, readManifest } from './manifest.ts';
import { replace } from './replace.ts';
import { tellingPlace } from './telling-place.ts';

const KEY_DIGITS = 32;
const TIME_DIGITS = 12;
/** Length of the text of a part before it is compressed. */
export const PART_CHARACTERS = 1024 * 1024;
const PAGE = 500;

export interface BackupPlace {
  readonly location: string;
  readonly objects: Objects;
  readonly parts: Objects;
  /** Makes the place ready for the backups of an installation. @throws Error if it has those of another one */
  claim(instance: string): Promise<void>;
  /** Stores a part and reads it back. */
  putPart(text: string): Promise<Part>;
  /** Returns the text of a part. @throws Error if it is missing or damaged */
  readPart(part: Part): Promise<string>;
  putManifest(manifest: Manifest, id: string): Promise<void>;
  /** Returns the ids of all backups, oldest first. */
  ids(): Promise<string[]>;
  manifest(id: string): Promise<Manifest>;
  removeManifest(id: string): Promise<void>;
  /** @throws Error if another backup has taken the place meanwhile */
  requireAlone(): Promise<void>;
  close(): Promise<void>;
}

/** Returns the id of a backup. Ids sort by time. */
export const backupId = (time: number, random: string): string =>
  (time.toString(16).padStart(TIME_DIGITS, '0') + random).slice(0, KEY_DIGITS);

/** @param alone ports of a process that writes, so that no other may write at the same time; undefined for a reader */
export async function openBackupPlace(
  config: ObjectsConfig,
  objectBytes: number,
  alone?: Pick<Ports, 'random' | 'timers'>,
): Promise<BackupPlace> {
  const opened = createOpened();
  if (alone && config.kind === 'disk') {
    const path = join(config.path, 'backup.lock');
    makeFolder('the folder of backups', config.path);
    createPrivate(path);
    opened.add(lockFile(path, () => `another backup into ${config.path} is running.`));
  }
  const open = async (folder: string): Promise<Objects> => {
    const objects = opened.add(await openPlace(config, objectBytes, folder, { readOnly: !alone }));
    return config.kind === 'disk' ? tellingPlace(objects, config.path) : objects;
  };
  try {
    const place = await open('');
    const lock =
      alone && config.kind === 's3'
        ? opened.add(await lockBucket(await open('running/'), place.location, alone))
        : undefined;
    const [backups, parts, objects] = [await open('backups/'), await open('parts/'), await open('objects/')];
    return placeOn(place, { backups, parts, objects }, lock, () => opened.close());
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function placeOn(
  place: Objects,
  { backups, parts, objects }: Readonly<Record<'backups' | 'parts' | 'objects', Objects>>,
  lock: BucketLock | undefined,
  close: () => Promise<void>,
): BackupPlace {
  const { location } = place;
  return {
    ...{ location, objects, parts, close },
    async claim(instance) {
      const owner = await place.owner();
      if (owner === instance) return;
      if (owner !== undefined)
        throw new Error(
          `${location} has the backups of another server (${owner}); this one is ${instance}. Name a place of its own for each server.`,
        );
      await place.claim(instance);
    },
    async putPart(text) {
      const bytes = gzipSync(text);
      const digest = hash('sha256', bytes);
      const part = { key: digest.slice(0, KEY_DIGITS), hash: digest, bytes: bytes.length };
      const same = await readBytes(parts, part).catch(() => undefined);
      if (same === undefined) {
        await replace(parts, part.key, bytes);
        await readBytes(parts, part);
      }
      return part;
    },
    readPart: async (part) => gunzipSync(await readBytes(parts, part)).toString(),
    putManifest: (manifest, id) => replace(backups, id, Buffer.from(manifestText(manifest))),
    async ids() {
      const found: string[] = [];
      for await (const key of keysOf(backups, 'published')) found.push(key);
      return found;
    },
    async manifest(id) {
      const text = (await wholeOf(await backups.read(id))).toString();
      return Promise.resolve(text)
        .then(readManifest)
        .catch((error: Error) => {
          throw new Error(`the backup ${id} in ${location} cannot be used: ${error.message}`, { cause: error });
        });
    },
    removeManifest: (id) => backups.remove(id),
    requireAlone: async () => lock?.check(),
  };
}

async function readBytes(store: Objects, { key, hash: expected }: Part): Promise<Buffer> {
  const bytes = await wholeOf(await store.read(key));
  if (hash('sha256', bytes) !== expected) throw new Error(`the part ${key} in ${store.location} is damaged`);
  return bytes;
}

/** Returns the keys of all objects in a state, in their order. */
export async function* keysOf(store: Objects, state: 'published' | 'unpublished'): AsyncGenerator<ObjectKey> {
  for (let after = ''; ; ) {
    const page = await store.page(state, after, PAGE);
    for (const { key } of page) yield key;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.key;
  }
}
