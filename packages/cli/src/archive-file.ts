// Writes an archive to a file that only its owner can read. The file appears only when all of it is written.
import { open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CliError } from './exit-codes.ts';
import { writeFault } from './file-faults.ts';
import { publish, type Replacing, requireFree } from './media/save-media.ts';
import { stoppable } from './stoppable.ts';

/**
 * Writes an archive, and returns its size in bytes. Ctrl-C stops it through the signal, and leaves no file.
 * @throws CliError if the file exists already, cannot be written, or the user stopped it
 */
export async function writeArchive(
  path: string,
  options: Replacing,
  read: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
): Promise<number> {
  await requireFree(path, options);
  const part = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  return stoppable(async (signal) => {
    try {
      const bytes = await fill(part, path, read(signal));
      await publish(part, path, options);
      return bytes;
    } catch (error) {
      // If the folder cannot be written, there is no partial file, and the removal fails as well. The first error tells
      // the cause.
      await rm(part, { force: true }).catch(() => {});
      throw signal.aborted ? new CliError('Stopped: no archive was written.') : error;
    }
  });
}

async function fill(part: string, path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
  const failed = (error: Error): never => {
    throw writeFault(path, error);
  };
  const handle = await open(part, 'wx', 0o600).catch(failed);
  let bytes = 0;
  try {
    for await (const piece of content) {
      await handle.appendFile(piece).catch(failed);
      bytes += piece.length;
    }
    await handle.sync().catch(failed);
    return bytes;
  } finally {
    await handle.close();
  }
}
