// Stores objects as files in one folder. `unpublished/<key>` holds objects that are still being written, and
// `published/<kk>/<key>` holds complete objects. `quarantined/<kk>/<key>` holds objects that nobody seems to need. The
// folder `<kk>` is named after the first two digits of the key. The file `instance` has the id of the installation that
// owns the objects.
import { mkdtemp, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileProblem, makeFolder } from '../kernel/files.ts';
import { DiskFolder, exists, flags, isMissing, PRIVATE, syncFolder } from './disk-folder.ts';
import { readThrough, writeFrom } from './file-bytes.ts';
import { tellFullDisk } from './full-disk.ts';
import {
  type ObjectKey,
  ObjectMissing,
  type ObjectState,
  type Objects,
  type Source,
  type StoredObject,
} from './objects.ts';

/**
 * @param root the folder of the objects; its subfolders are created when they are needed
 * @param home the folder with the id of the owner, if this folder is not `root`. If the id is missing, nothing is
 * created, because the folder may be the empty mount point of a disk that is not mounted.
 */
export function openDisk(root: string, home = root): Objects {
  const folder = new DiskFolder(root, home);
  return {
    kind: 'disk',
    location: root,
    append: (key, offset, source) => append(folder, key, offset, source).catch(tellFullDisk),
    publish: (key) => publish(folder, key).catch(tellFullDisk),
    async read(key, range) {
      const file = await folder.openFile(key, 'published', flags.read);
      return range ? readThrough(file, range.start, range.end) : readThrough(file, 0, (await file.stat()).size - 1);
    },
    async remove(key) {
      for (const state of ['unpublished', 'published', 'quarantined'] as const) {
        await rm(folder.pathOf(key, state), { force: true });
      }
    },
    quarantine: async (key) => void (await folder.move(key, 'published', 'quarantined').catch(tellFullDisk)),
    bringBack: async (key) =>
      (await exists(folder.pathOf(key, 'quarantined'))) &&
      folder.move(key, 'quarantined', 'published').catch(tellFullDisk),
    page: (state, after, limit) => page(folder, state, after, limit),
    owner: () => owner(folder),
    claim: (id) => claim(folder, id),
    check: () => writeFile(join(root, 'writable'), '', { mode: PRIVATE }).catch(tellFullDisk),
    close: async () => {},
  };
}

async function append(folder: DiskFolder, key: ObjectKey, offset: number, source: Source): Promise<number> {
  const file = await (offset === 0 ? folder.openNew(key) : folder.openFile(key, 'unpublished', flags.write));
  try {
    const { size } = await file.stat();
    if (size < offset) throw new ObjectMissing(`the object ${key} has ${size} bytes, not ${offset}`);
    if (size > offset) await file.truncate(offset);
    const end = await writeFrom(file, offset, source);
    if (offset === 0) await folder.syncUnpublished();
    return end;
  } finally {
    await file.close();
  }
}

async function publish(folder: DiskFolder, key: ObjectKey): Promise<void> {
  if (!(await folder.move(key, 'unpublished', 'published'))) throw new ObjectMissing(`no unpublished object ${key}`);
}

async function page(folder: DiskFolder, state: ObjectState, after: ObjectKey, limit: number): Promise<StoredObject[]> {
  const found: StoredObject[] = [];
  for (let from = after; ; ) {
    const names = await folder.namesAfter(state, from, limit);
    for (const key of names) {
      // The file may have been removed or published since the folder was listed.
      const file = await stat(folder.pathOf(key, state)).catch(() => undefined);
      // Moving a file keeps its mtime and changes its ctime. An object in quarantine counts as changed when it was moved
      // there.
      if (file) found.push({ key, changedTime: state === 'quarantined' ? file.ctimeMs : file.mtimeMs });
      if (found.length === limit) return found;
    }
    const last = names.at(-1);
    if (last === undefined || names.length < limit) return found;
    from = last;
  }
}

async function owner({ ownerFile, home }: DiskFolder): Promise<string | undefined> {
  const text = await readFile(ownerFile, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw new FileProblem('the folder of objects', home, error);
  });
  return text?.trim();
}

async function claim({ root, home, ownerFile }: DiskFolder, id: string): Promise<void> {
  for (const path of [root, home]) makeFolder('the folder of objects', path);
  // Each server first writes the id into a folder that only it uses, because several servers may claim the
  // place at once.
  const folder = await mkdtemp(`${ownerFile}-`);
  await writeFile(join(folder, 'id'), `${id}\n`, { mode: PRIVATE, flush: true });
  await rename(join(folder, 'id'), ownerFile);
  await rmdir(folder);
  await syncFolder(home);
}
