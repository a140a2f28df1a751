// Objects as files of one folder: `unpublished/<key>` while they grow, `published/<kk>/<key>` for good, and
// `quarantined/<kk>/<key>` for those that nobody seems to need. `instance` says whose they are.
import { constants } from 'node:fs';
import {
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileProblem, makeFolder as makeWholePath } from '../kernel/files.ts';
import { StoreUnavailable } from '../store/store.ts';
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
const PRIVATE_FOLDER = 0o700;
/** A link that somebody put into the folder is not followed. */
const FLAGS = { read: constants.O_RDONLY | constants.O_NOFOLLOW, write: constants.O_RDWR | constants.O_NOFOLLOW };

/**
 * @param root the folder, whose parts are made when they are needed
 * @param home the folder with the id of the owner, if it is not the root. Without that id nothing is made: the folder
 * may be the empty place of a disk that is not mounted.
 */
export function openDisk(root: string, home = root): Objects {
  const folderOf = (state: ObjectState): string => join(root, state);
  const ownerFile = join(home, 'instance');

  function pathOf(key: ObjectKey, state: ObjectState): string {
    requireKey(key);
    return state === 'unpublished' ? join(root, state, key) : join(root, state, key.slice(0, 2), key);
  }

  /** @throws StoreUnavailable when the folder is away */
  async function requireHome(): Promise<void> {
    if (!(await exists(ownerFile))) throw new StoreUnavailable(`objects cannot be reached: ${ownerFile} is not there`);
  }

  async function makeFolder(path: string): Promise<void> {
    await requireHome();
    if ((await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER })) !== undefined) await syncFolder(dirname(path));
  }

  async function openFile(key: ObjectKey, state: ObjectState, flags: number): Promise<FileHandle> {
    return open(pathOf(key, state), flags, PRIVATE).catch(async (error: NodeJS.ErrnoException) => {
      if (!isMissing(error)) throw error;
      await requireHome();
      throw new ObjectMissing(`no ${state} object ${key}`);
    });
  }

  async function openNew(key: ObjectKey): Promise<FileHandle> {
    const create = () => openFile(key, 'unpublished', FLAGS.write | constants.O_CREAT);
    return create().catch(async (error: unknown) => {
      if (!(error instanceof ObjectMissing)) throw error;
      await makeFolder(folderOf('unpublished'));
      return create();
    });
  }

  async function append(key: ObjectKey, offset: number, source: Source): Promise<number> {
    const file = await (offset === 0 ? openNew(key) : openFile(key, 'unpublished', FLAGS.write));
    try {
      const { size } = await file.stat();
      if (size < offset) throw new ObjectMissing(`the object ${key} has ${size} bytes, not ${offset}`);
      if (size > offset) await file.truncate(offset);
      const end = await writeFrom(file, offset, source);
      if (offset === 0) await syncFolder(folderOf('unpublished'));
      return end;
    } finally {
      await file.close();
    }
  }

  /** Moves a file from one state to another; returns whether it is there now. */
  async function move(key: ObjectKey, from: ObjectState, to: ObjectState): Promise<boolean> {
    const path = pathOf(key, to);
    await makeFolder(dirname(path));
    try {
      await rename(pathOf(key, from), path);
    } catch (error) {
      if (!isMissing(error)) throw error;
      await requireHome();
      return exists(path);
    }
    await syncFolder(dirname(path));
    return true;
  }

  async function publish(key: ObjectKey): Promise<void> {
    if (!(await move(key, 'unpublished', 'published'))) throw new ObjectMissing(`no unpublished object ${key}`);
  }

  async function sorted(path: string): Promise<string[]> {
    try {
      return (await readdir(path)).sort();
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  async function namesAfter(state: ObjectState, after: ObjectKey, limit: number): Promise<string[]> {
    const folder = folderOf(state);
    if (state === 'unpublished') return (await sorted(folder)).filter((name) => name > after);
    const names: string[] = [];
    for (const shelf of await sorted(folder)) {
      if (shelf < after.slice(0, 2)) continue;
      names.push(...(await sorted(join(folder, shelf))).filter((name) => name > after));
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
      for (const state of ['unpublished', 'published', 'quarantined'] as const) {
        await rm(pathOf(key, state), { force: true });
      }
    },
    quarantine: async (key) => void (await move(key, 'published', 'quarantined').catch(tellFullDisk)),
    bringBack: async (key) =>
      (await exists(pathOf(key, 'quarantined'))) && move(key, 'quarantined', 'published').catch(tellFullDisk),
    async page(state, after, limit) {
      const found: StoredObject[] = [];
      for (const key of (await namesAfter(state, after, limit)).slice(0, limit)) {
        // It may have been removed or published meanwhile.
        const file = await stat(pathOf(key, state)).catch(() => undefined);
        // A file that is moved keeps the time of its content; that of its name changes.
        if (file) found.push({ key, changedTime: state === 'quarantined' ? file.ctimeMs : file.mtimeMs });
      }
      return found;
    },
    async owner() {
      const text = await readFile(ownerFile, 'utf8').catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw new FileProblem('the folder of objects', home, error);
      });
      return text?.trim();
    },
    async claim(id) {
      for (const path of [root, home]) makeWholePath('the folder of objects', path);
      // Several servers may claim it at once.
      const folder = await mkdtemp(`${ownerFile}-`);
      await writeFile(join(folder, 'id'), `${id}\n`, { mode: PRIVATE, flush: true });
      await rename(join(folder, 'id'), ownerFile);
      await rmdir(folder);
      await syncFolder(home);
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
