// Media into a file: under a name of their own until all of them is there and proved, then under the one that was asked for.
import { constants, createReadStream } from 'node:fs';
import { type FileHandle, link, open, rename, rm, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MediaError, type OpenedMedia } from '@sealpost/sdk';
import { CliError } from '../exit-codes.ts';

export interface SaveOptions {
  /** Replaces a file that is there. */
  readonly force: boolean;
  /** Names the part, so that two messages never share one. */
  readonly messageId: string;
}

const READ_BYTES = 1024 * 1024;
/** Made if it is not there; never through a link that somebody put there. */
const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;

/**
 * Goes on with what an earlier run left. When it is stopped, the part stays; when the bytes are not those that were
 * sent, nothing stays.
 *
 * @throws CliError, MediaError, the errors of the SDK
 */
export async function saveMedia(media: OpenedMedia, path: string, options: SaveOptions): Promise<void> {
  await requireFree(path, options);
  const part = join(dirname(path), `.${basename(path)}.${options.messageId}.part`);
  const handle = await open(part, FLAGS, 0o666).catch((error: Error) => {
    throw new CliError(`${part} can not be written: ${error.message}`);
  });
  try {
    await fill(handle, media, part);
  } catch (error) {
    if (error instanceof MediaError && error.reason === 'changed') await rm(part, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  await publish(part, path, options);
}

async function fill(handle: FileHandle, media: OpenedMedia, part: string): Promise<void> {
  const { size } = await handle.stat();
  let at = size;
  const before = { size, stream: () => createReadStream(part, { highWaterMark: READ_BYTES }) };
  for await (const piece of media.bytes(size > 0 ? before : undefined)) {
    // At its place, not at the end: two downloads of one message write the same bytes there.
    for (let written = 0; written < piece.length; ) {
      const { bytesWritten } = await handle
        .write(piece, written, piece.length - written, at + written)
        .catch((error: Error) => {
          throw new CliError(`${part} can not be written: ${error.message}`);
        });
      written += bytesWritten;
    }
    at += piece.length;
  }
  await handle.sync();
}

export async function requireFree(path: string, { force }: Pick<SaveOptions, 'force'>): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there && !force) throw taken(path);
  if (there?.isDirectory()) throw new CliError(`${path} is a folder.`);
}

/** In one step. Whoever made the file meanwhile keeps it. */
async function publish(part: string, path: string, { force }: SaveOptions): Promise<void> {
  if (force) return rename(part, path);
  try {
    await link(part, path);
    await unlink(part);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw taken(path);
    // There are file systems without links.
    await requireFree(path, { force });
    await rename(part, path);
  }
}

const taken = (path: string): CliError =>
  new CliError(`${path} is there already. Use --force to replace it, or --to to choose another name.`);
