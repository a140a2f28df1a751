// Saves media in a file. At first the file has a temporary name. It gets its final name as soon as all bytes have
// arrived and are verified.
import { constants, createReadStream } from 'node:fs';
import { type FileHandle, link, open, rename, rm, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MediaError, type OpenedMedia } from '@sealpost/sdk';
import { CliError } from '../exit-codes.ts';
import { writeFault } from '../file-faults.ts';
import { requireReplaceable } from '../replaceable.ts';

export interface SaveOptions {
  /** True if the download may replace an existing file. */
  readonly force: boolean;
  /** True if the command has an option --to that names the file. */
  readonly to?: boolean;
  /** The message id. It is part of the temporary file's name, so that the downloads of two messages do not mix. */
  readonly messageId: string;
}

const READ_BYTES = 1024 * 1024;
/** Flags that create the file if it does not exist. A symbolic link that somebody put in its place is refused. */
const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;

/**
 * Saves media in a file. If an earlier run left a partial file, the download continues after its last byte. If the
 * download is stopped, the partial file stays. If the bytes are not those that were sent, the partial file is deleted.
 * @throws CliError, MediaError, the errors of the SDK
 */
export async function saveMedia(media: OpenedMedia, path: string, options: SaveOptions): Promise<void> {
  await requireFree(path, options);
  const part = join(dirname(path), `.${basename(path)}.${options.messageId}.part`);
  const handle = await open(part, FLAGS, 0o666).catch((error: Error) => {
    throw writeFault(path, error);
  });
  try {
    await fill(handle, media, { part, path });
  } catch (error) {
    if (error instanceof MediaError && error.reason === 'changed') await rm(part, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  await publish(part, path, options);
}

async function fill(
  handle: FileHandle,
  media: OpenedMedia,
  { part, path }: { readonly part: string; readonly path: string },
): Promise<void> {
  const { size } = await handle.stat();
  let at = size;
  // The stream ends at this size, because another download of the message may be making the file longer meanwhile.
  const before = { size, stream: () => createReadStream(part, { end: size - 1, highWaterMark: READ_BYTES }) };
  for await (const piece of media.bytes(size > 0 ? before : undefined)) {
    // Pieces are written to their positions instead of being appended, because two downloads of one message may run at
    // once. Both then write the same bytes to the same positions.
    for (let written = 0; written < piece.length; ) {
      const { bytesWritten } = await handle
        .write(piece, written, piece.length - written, at + written)
        .catch((error: Error) => {
          throw writeFault(path, error);
        });
      written += bytesWritten;
    }
    at += piece.length;
  }
  await handle.sync();
}

/** What a command may do about a file that exists already. */
export type Replacing = Pick<SaveOptions, 'force' | 'to'>;

export async function requireFree(path: string, options: Replacing): Promise<void> {
  requireReplaceable(path);
  if (!options.force && (await exists(path))) throw taken(path, options);
}

/**
 * Gives the partial file its final name in one step. Without `force`, the function does not replace a file that another
 * program has created under that name.
 */
export async function publish(part: string, path: string, options: Replacing): Promise<void> {
  try {
    if (options.force) return await rename(part, path);
    await link(part, path);
    await unlink(part);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw taken(path, options);
    // Another command worked on the same partial file and was faster.
    if (code === 'ENOENT' && !(await exists(part))) throw outrun(path);
    if (options.force) throw error;
    // Some file systems have no hard links, so making the link fails. In this case, the file is renamed.
    await requireFree(path, options);
    await rename(part, path);
  }
}

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined;

const outrun = (path: string): CliError =>
  new CliError(`Another command that saved ${path} at the same time was faster. If the file is missing, try again.`);

const taken = (path: string, { to = false }: Replacing): CliError =>
  new CliError(
    `${path} exists already. Use --force to replace it, or ${to ? '--to to choose another name' : 'name another file'}.`,
  );
