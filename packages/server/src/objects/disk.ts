// Objects as files of one folder: `unpublished/<key>` while they grow, `published/<kk>/<key>` for good.
import { constants, mkdirSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readThrough, writeFrom } from './file-bytes.ts';
import { tellFullDisk } from './full-disk.ts';
import {
  type ObjectKey,
  ObjectMissing,
  type ObjectState,
  type Objects,
  requireKey,
  type Source,
  type StoredObject,
} from './objects.ts';

const PRIVATE = 0o600;
/** A link that somebody put into the folder is not followed. */
const FLAGS = { read: constants.O_RDONLY | constants.O_NOFOLLOW, write: constants.O_RDWR | constants.O_NOFOLLOW };

/** @param root the folder; made if absent */
export function openDisk(root: string): Objects {
  const folder = { unpublished: join(root, 'unpublished'), published: join(root, 'published') };
  for (const path of Object.values(folder)) mkdirSync(path, { recursive: true, mode: 0o700 });

  function pathOf(key: ObjectKey, state: ObjectState): string {
    requireKey(key);
    return state === 'unpublished' ? join(folder.unpublished, key) : join(folder.published, key.slice(0, 2), key);
  }

  async function openFile(key: ObjectKey, state: ObjectState, flags: number): Promise<FileHandle> {
    return open(pathOf(key, state), flags, PRIVATE).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new ObjectMissing(`no ${state} object ${key}`) : error;
    });
  }

  async function append(key: ObjectKey, offset: number, source: Source): Promise<number> {
    const file = await openFile(key, 'unpublished', offset === 0 ? FLAGS.write | constants.O_CREAT : FLAGS.write);
    try {
      const { size } = await file.stat();
      if (size < offset) throw new ObjectMissing(`the object ${key} has ${size} bytes, not ${offset}`);
      if (size > offset) await file.truncate(offset);
      const end = await writeFrom(file, offset, source);
      if (offset === 0) await syncFolder(folder.unpublished);
      return end;
    } finally {
      await file.close();
    }
  }

  async function publish(key: ObjectKey): Promise<void> {
    const path = pathOf(key, 'published');
    const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    if (made !== undefined) await syncFolder(folder.published);
    try {
      await rename(pathOf(key, 'unpublished'), path);
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (!(await exists(path))) throw new ObjectMissing(`no unpublished object ${key}`);
    }
    await syncFolder(dirname(path));
  }

  async function namesAfter(state: ObjectState, after: ObjectKey, limit: number): Promise<string[]> {
    const sorted = async (path: string) => (await readdir(path)).sort();
    if (state === 'unpublished') return (await sorted(folder.unpublished)).filter((name) => name > after);
    const names: string[] = [];
    for (const shelf of await sorted(folder.published)) {
      if (shelf < after.slice(0, 2)) continue;
      names.push(...(await sorted(join(folder.published, shelf))).filter((name) => name > after));
      if (names.length >= limit) break;
    }
    return names;
  }

  return {
    kind: 'disk',
    location: root,
    append: (...args) => append(...args).catch(tellFullDisk),
    publish: (key) => publish(key).catch(tellFullDisk),
    async read(key, range) {
      const file = await openFile(key, 'published', FLAGS.read);
      return range ? readThrough(file, range.start, range.end) : readThrough(file, 0, (await file.stat()).size - 1);
    },
    async remove(key) {
      await rm(pathOf(key, 'unpublished'), { force: true });
      await rm(pathOf(key, 'published'), { force: true });
    },
    async page(state, after, limit) {
      const found: StoredObject[] = [];
      for (const key of (await namesAfter(state, after, limit)).slice(0, limit)) {
        // It may have been removed or published meanwhile.
        const file = await stat(pathOf(key, state)).catch(() => undefined);
        if (file) found.push({ key, changedTime: file.mtimeMs });
      }
      return found;
    },
    check: () => writeFile(join(root, 'writable'), '', { mode: PRIVATE }).catch(tellFullDisk),
    close: async () => {},
  };
}

/** Makes the names in a folder durable. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
