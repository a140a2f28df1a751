import { StoreUnavailable } from '../store/store.ts';

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']);

/** A disk that takes no more bytes is a store that is unavailable; any other error stays what it is. */
export function tellFullDisk(error: NodeJS.ErrnoException): never {
  throw FULL.has(error.code ?? '') ? new StoreUnavailable(`objects cannot be written: ${error.message}`) : error;
}
