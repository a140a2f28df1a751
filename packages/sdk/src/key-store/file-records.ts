// Records as files that only their owner can read. Each record has a file of its own, so processes that share a folder
// never overwrite each other's keys. For Node; browsers use IndexedDB.
import { link, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { KeyRecords } from './key-records.ts';

const OWNER_ONLY = 0o600;
const FOLDER_OF_OWNER = 0o700;
const NAME = /^[\w-]+(\/[\w-]+)*$/;
const RECORD = /\.key$/;

let written = 0;

export function fileRecords(folder: string): KeyRecords {
  const pathOf = (name: string): string => {
    if (!NAME.test(name)) throw new RangeError(`"${name}" cannot be the name of a record`);
    return `${join(folder, name)}.key`;
  };

  /** Writes a text to disk under a temporary name, so that another process sees either the whole record or none. */
  async function prepare(path: string, text: string): Promise<string> {
    await mkdir(dirname(path), { recursive: true, mode: FOLDER_OF_OWNER });
    const fresh = `${path}.${process.pid}-${++written}.tmp`;
    const file = await open(fresh, 'wx', OWNER_ONLY);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    return fresh;
  }

  return {
    get: (name) => orNothing(readFile(pathOf(name), 'utf8')),
    async list(prefix) {
      const records = new Map<string, string>();
      for (const name of await namesBelow(join(folder, prefix), prefix)) {
        const text = await orNothing(readFile(pathOf(name), 'utf8'));
        if (text !== undefined) records.set(name, text);
      }
      return records;
    },
    async add(name, text) {
      const path = pathOf(name);
      const fresh = await prepare(path, text);
      try {
        await link(fresh, path);
        await syncFolder(dirname(path));
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      } finally {
        await rm(fresh, { force: true });
      }
    },
    async put(name, text) {
      const path = pathOf(name);
      await rename(await prepare(path, text), path);
      await syncFolder(dirname(path));
    },
    remove: (name) => rm(pathOf(name), { force: true }),
  };
}

async function namesBelow(folder: string, prefix: string): Promise<string[]> {
  const entries = (await orNothing(readdir(folder, { recursive: true, withFileTypes: true }))) ?? [];
  return entries
    .filter((entry) => entry.isFile() && RECORD.test(entry.name))
    .map((entry) => {
      const parts = [...relative(folder, entry.parentPath).split(sep).filter(Boolean), entry.name.replace(RECORD, '')];
      return prefix + parts.join('/');
    });
}

async function orNothing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Syncs a folder, so that the name of a new file survives a crash. Windows has no such call and needs none. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
