import { StoreFull, StoreUnavailable } from '../store/store.ts';

const FULL = new Set(['ENOSPC', 'EDQUOT']);
/**
 * Error codes of a disk that is read-only, broken or unmounted. ENOENT is listed because the folders of an unmounted
 * disk are missing.
 */
const UNUSABLE = new Set(['EROFS', 'EIO', 'EACCES', 'ENOENT', 'ENODEV', 'ESTALE']);

/**
 * Throws StoreUnavailable or StoreFull if the error means that the disk accepts no bytes. Throws any other error
 * unchanged.
 */
export function tellFullDisk(error: NodeJS.ErrnoException): never {
  const { code = '', message } = error;
  if (FULL.has(code)) throw new StoreFull(`objects cannot be written: ${message}`, { cause: error });
  throw UNUSABLE.has(code) ? new StoreUnavailable(`objects cannot be written: ${message}`, { cause: error }) : error;
}
