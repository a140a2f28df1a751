// A file that comes from standard input. An upload may read the bytes more than once, so they are stored until it ends.
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CliError } from '../exit-codes.ts';
import { writeFault } from '../file-faults.ts';
import { stoppable } from '../stoppable.ts';
import { uploadsDirectory } from './upload-files.ts';

/**
 * Stores all of standard input in a file that only its owner can read, and removes it when it was used.
 * @throws CliError if the file cannot be written, or the user stopped it
 */
export async function withStandardInput<T>(use: (path: string) => Promise<T>): Promise<T> {
  const uploads = uploadsDirectory();
  await mkdir(uploads, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(uploads, 'input-'));
  const path = join(folder, 'input');
  try {
    await stoppable((signal) =>
      pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }), { signal }).catch((error: unknown) => {
        throw signal.aborted ? new CliError('Stopped: nothing was sent.') : writeFault(path, error);
      }),
    );
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
