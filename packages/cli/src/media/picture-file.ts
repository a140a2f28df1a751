// Pictures that a user sets for the profile, a group or the home on the timeline.
import { readFile } from 'node:fs/promises';
import { CliError, exitCodes } from '../exit-codes.ts';
import { readFault } from '../file-faults.ts';

/**
 * Returns the bytes of a picture on this machine; undefined to remove the picture. Throws unless exactly one of a path
 * and `remove` is given.
 */
export async function givenPicture(
  path: string | undefined,
  { remove }: { readonly remove?: boolean },
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if ((path === undefined) === !remove) throw new CliError('Name either a picture or --remove.', exitCodes.usage);
  if (path === undefined) return undefined;
  try {
    return await readFile(path);
  } catch (error) {
    throw readFault(path, error);
  }
}
