// The folder that stores objects as files. This class knows the path of each object, and creates, moves and lists the
// files durably.
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StoreUnavailable } from '../store/store.ts';
import { isKey, type ObjectKey, ObjectMissing, type ObjectState, requireKey } from './objects.ts';

export const PRIVATE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** Name of a folder with the objects whose keys begin with it. */
const SHELF = /^[0-9a-f]{2}$/;
/** Flags for opening files. With O_NOFOLLOW, a symbolic link that somebody put into the folder is not followed. */
export const flags = {
  read: constants.O_RDONLY | constants.O_NOFOLLOW,
  write: constants.O_RDWR | constants.O_NOFOLLOW,
};

export class DiskFolder {
  readonly root: string;
  readonly home: string;
  /**
   * The file with the id of the installation that owns the folder. If this file is missing, nothing is written to the
   * folder, because the disk may not be mounted.
   */
  readonly ownerFile: string;

  constructor(root: string, home: string) {
    this.root = root;
    this.home = home;
    this.ownerFile = join(home, 'instance');
  }

  pathOf(key: ObjectKey, state: ObjectState): string {
    requireKey(key);
    return state === 'unpublished' ? join(this.root, state, key) : join(this.root, state, key.slice(0, 2), key);
  }

  async openFile(key: ObjectKey, state: ObjectState, mode: number): Promise<FileHandle> {
    return open(this.pathOf(key, state), mode, PRIVATE).catch(async (error: NodeJS.ErrnoException) => {
      if (!isMissing(error)) throw error;
      await this.#requireHome();
      throw new ObjectMissing(`no ${state} object ${key}`);
    });
  }

  /** Creates and opens the file of a new object. */
  async openNew(key: ObjectKey): Promise<FileHandle> {
    const create = () => this.openFile(key, 'unpublished', flags.write | constants.O_CREAT);
    return create().catch(async (error: unknown) => {
      if (!(error instanceof ObjectMissing)) throw error;
      await this.#make(join(this.root, 'unpublished'));
      return create();
    });
  }

  /** Makes the directory entries of unpublished objects durable. */
  syncUnpublished(): Promise<void> {
    return syncFolder(join(this.root, 'unpublished'));
  }

  /** Moves the file of an object from one state to another. Returns whether the file is in the new state afterwards. */
  async move(key: ObjectKey, from: ObjectState, to: ObjectState): Promise<boolean> {
    const path = this.pathOf(key, to);
    await this.#make(dirname(path));
    try {
      await rename(this.pathOf(key, from), path);
    } catch (error) {
      if (!isMissing(error)) throw error;
      await this.#requireHome();
      return exists(path);
    }
    await syncFolder(dirname(path));
    return true;
  }

  /** Returns the names of the first objects after a key: at least `limit` names, or all if there are fewer. */
  async namesAfter(state: ObjectState, after: ObjectKey, limit: number): Promise<string[]> {
    const folder = join(this.root, state);
    const keysIn = async (path: string) => (await sorted(path)).filter((name) => isKey(name) && name > after);
    if (state === 'unpublished') return keysIn(folder);
    const names: string[] = [];
    for (const shelf of await sorted(folder)) {
      if (!SHELF.test(shelf) || shelf < after.slice(0, 2)) continue;
      names.push(...(await keysIn(join(folder, shelf))));
      if (names.length >= limit) break;
    }
    return names;
  }

  /** @throws StoreUnavailable when the file with the id of the owner is missing */
  async #requireHome(): Promise<void> {
    if (!(await exists(this.ownerFile)))
      throw new StoreUnavailable(`objects cannot be reached: ${this.ownerFile} is not there`);
  }

  async #make(path: string): Promise<void> {
    await this.#requireHome();
    if ((await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER })) !== undefined) await syncFolder(dirname(path));
  }
}

async function sorted(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Makes the directory entries of a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
