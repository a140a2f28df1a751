import { StoreFull, StoreUnavailable } from '../store/store.ts';

const FULL = new Set(['ENOSPC', 'EDQUOT']);
/** Read-only, broken, or away: the folders of a disk that was unmounted are missing. */
const UNUSABLE = new Set(['EROFS', 'EIO', 'EACCES', 'ENOENT', 'ENODEV', 'ESTALE']);

/** A disk that takes no bytes is a store that is full or unavailable; any other error stays what it is. */
export function tellFullDisk(error: NodeJS.ErrnoException): never {
  const { code = '', message } = error;
  if (FULL.has(code)) throw new StoreFull(`objects cannot be written: ${message}`, { cause: error });
  throw UNUSABLE.has(code) ? new StoreUnavailable(`objects cannot be written: ${message}`, { cause: error }) : error;
}
