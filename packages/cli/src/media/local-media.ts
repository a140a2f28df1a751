// A file on this machine, prepared for sending.
import { createReadStream, type Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { MediaKind, OutgoingMedia } from '@sealpost/sdk';
import { CliError, exitCodes } from '../exit-codes.ts';
import { readFault } from '../file-faults.ts';
import { oneLine } from '../output.ts';
import { durationOf, previewOf } from './file-facts.ts';

export interface LocalMedia {
  readonly media: OutgoingMedia;
  /** The path, size and time of change of the file. If the content changes, the size or the time changes too. */
  readonly identity: readonly [path: string, size: number, changedAt: number];
}

const READ_BYTES = 1024 * 1024;

/**
 * Returns a file in the form that the SDK sends.
 * @param name the name that the message gives it
 * @throws CliError if the path does not exist, or is not a file
 */
export async function localMedia(kind: MediaKind, path: string, name = basename(path)): Promise<LocalMedia> {
  const stats = await statOf(path);
  if (!stats.isFile())
    throw new CliError(`${oneLine(path)} is not a file, so it cannot be sent. Pack folders first.`, exitCodes.usage);
  const { size, mtimeMs } = stats;
  const bytes = { size, stream: () => createReadStream(path, { highWaterMark: READ_BYTES }) };
  const [duration, preview] = await Promise.all([
    kind === 'video' || kind === 'audio' ? durationOf(path) : undefined,
    kind === 'image' ? previewOf(path) : undefined,
  ]);
  return {
    media: { kind, name, bytes, duration, ...preview },
    identity: [await realpath(path), size, mtimeMs],
  };
}

async function statOf(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (error) {
    throw readFault(path, error);
  }
}
