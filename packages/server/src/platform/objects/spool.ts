// Collects bytes for a store that accepts only large pieces. The bytes wait in a file, so that a thousand slow uploads
// take no more memory than one. The file has no name, so the operating system removes it when the process ends.
import { constants } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { tellFullDisk } from './full-disk.ts';

export interface Spool {
  readonly size: number;
  write(bytes: Buffer): Promise<void>;
  /** Returns all bytes that were written since the last `take`. */
  peek(): Promise<Buffer>;
  take(): Promise<Buffer>;
  close(): Promise<void>;
}

const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const PRIVATE = 0o600;

/** @param folder an existing folder in which only this server writes */
export async function openSpool(folder: string): Promise<Spool> {
  const file = await nameless(folder).catch(tellFullDisk);
  let size = 0;

  async function write(bytes: Buffer): Promise<void> {
    for (let rest = bytes; rest.length > 0; ) {
      const { bytesWritten } = await file.write(rest, 0, rest.length, size);
      size += bytesWritten;
      rest = rest.subarray(bytesWritten);
    }
  }

  async function peek(): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(size);
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(bytes, at, size - at, at);
      if (bytesRead === 0) throw new Error(`a spool of ${size} bytes ended at ${at}`);
      at += bytesRead;
    }
    return bytes;
  }

  return {
    get size() {
      return size;
    },
    write: (bytes) => write(bytes).catch(tellFullDisk),
    peek,
    async take() {
      const bytes = await peek();
      size = 0;
      return bytes;
    },
    close: () => file.close(),
  };
}

let opened = 0;

/**
 * Opens a new file and removes its name at once. If a file of that name exists, the next name is tried, because another
 * process with the same process id may use the folder.
 */
async function nameless(folder: string): Promise<FileHandle> {
  for (;;) {
    opened += 1;
    const path = join(folder, `${process.pid}-${opened}`);
    try {
      const file = await open(path, FLAGS, PRIVATE);
      await unlink(path);
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
