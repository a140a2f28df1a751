import { StoreFull, StoreUnavailable } from '../store/store.ts';

const FULL = new Set(['ENOSPC', 'EDQUOT']);
/** The disk is read-only, broken, or away: the folders of a disk that was unmounted are missing. */
const UNUSABLE = new Set(['EROFS', 'EIO', 'EACCES', 'ENOENT', 'ENODEV', 'ESTALE']);

/** Throws StoreUnavailable or StoreFull for a disk that takes no bytes, and any other error as it is. */
export function tellFullDisk(error: NodeJS.ErrnoException): never {
  const { code = '', message } = error;
  if (FULL.has(code)) throw new StoreFull(`objects cannot be written: ${message}`, { cause: error });
  throw UNUSABLE.has(code) ? new StoreUnavailable(`objects cannot be written: ${message}`, { cause: error }) : error;
}
