import { FileProblem } from '../../platform/kernel/files.ts';
import type { Objects } from '../../platform/objects/objects.ts';

/** Error codes of a disk that takes no bytes. EIO is not among them, because the disk of the server may have failed. */
const OF_PLACE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'ENOENT', 'EISDIR']);

interface Coded {
  readonly code?: string;
  readonly cause?: Coded;
}

/**
 * Wraps a store in a folder of backups. If the disk takes no bytes, the error names the folder, the cause and what to
 * do.
 */
export function tellingPlace(objects: Objects, folder: string): Objects {
  function tell(error: Coded): never {
    const cause = error.code === undefined ? error.cause : error;
    if (error instanceof FileProblem || !OF_PLACE.has(cause?.code ?? '')) throw error;
    throw new FileProblem('no backup was made: the place of backups', folder, cause);
  }
  return {
    ...objects,
    append: (key, offset, source) => objects.append(key, offset, source).catch(tell),
    publish: (key) => objects.publish(key).catch(tell),
    claim: (id) => objects.claim(id).catch(tell),
  };
}
