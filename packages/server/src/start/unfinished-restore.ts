// A file in a data folder while a restore fills it. No server starts on such a folder.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Returns the path of the file that marks an unfinished restore. */
export const restoreMark = (dataDir: string): string => join(dataDir, 'restoring.json');

/** @throws Error if a restore into the data folder was begun and is not finished */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (existsSync(restoreMark(dataDir)))
    throw new Error(
      `the data folder ${resolve(dataDir)} has an unfinished restore. Repeat the same \`sealpost restore\`, which goes on where it stopped.`,
    );
}
