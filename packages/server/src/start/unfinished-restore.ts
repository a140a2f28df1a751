// A file that a data folder contains while a restore fills the folder. No server starts on such a folder.
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
