// The rule for calls that name the picture of a profile or group.
import { ApiError } from '@sealpost/contract';
import type { Tx } from '../store/store.ts';

/** Removes the picture at a path. */
export type RemovePicture = (tx: Tx, path: string) => Promise<void>;

/**
 * Throws unless the path is empty, which removes the picture, or is the present one. Any other path could be that of
 * somebody else's picture, which the next upload would then remove.
 */
export function requirePicturePath(path: string, present: string): void {
  if (path === '' || path === present) return;
  throw new ApiError('ILLEGAL_ARGUMENT', 'picturePath is not that of the present picture; upload the picture instead');
}
