// Transfers bytes between a file and its reader or writer. Memory blocks of finished transfers are reused.
import type { FileHandle } from 'node:fs/promises';
import { freeBytes } from '../kernel/free-bytes.ts';
import type { Source } from './objects.ts';

/**
 * Size of a large memory block. A transfer with large blocks needs fewer system calls. While MOST_LARGE large blocks
 * are in use, further transfers get small blocks.
 */
const LARGE_BYTES = 256 * 1024;
const MOST_LARGE = 8;
const SMALL_BYTES = 32 * 1024;

/** Number of written bytes after which the server tells the disk to make them durable. */
const SYNC_BYTES = 16 * 1024 * 1024;

const spare: Buffer[] = [];
let large = 0;

function takeBlock(): Buffer {
  const found = spare.pop();
  if (found) return found;
  if (large >= MOST_LARGE) return Buffer.allocUnsafeSlow(SMALL_BYTES);
  large += 1;
  return Buffer.allocUnsafeSlow(LARGE_BYTES);
}

function giveBack(block: Buffer): void {
  if (block.length === LARGE_BYTES) spare.push(block);
  else freeBytes(block);
}

/**
 * Writes a source into the file, beginning at a position. Returns the position after the last byte, once everything is
 * durable. The disk makes the first bytes durable while later ones arrive, so that the wait at the end is short.
 */
export async function writeFrom(file: FileHandle, from: number, source: Source): Promise<number> {
  let position = from;
  let synced = from;
  let syncing: Promise<void> | undefined;
  try {
    for await (const batch of source) {
      for (let rest = batch; rest.length > 0; ) {
        const { bytesWritten } = await file.writev(rest, position);
        position += bytesWritten;
        rest = without(rest, bytesWritten);
      }
      if (position - synced < SYNC_BYTES) continue;
      await syncing;
      synced = position;
      syncing = file.datasync();
      // Prevents an unhandled rejection. A failure is reported when this promise is awaited.
      syncing.catch(() => {});
    }
  } finally {
    await syncing;
  }
  await file.datasync();
  return position;
}

/** Returns the buffers without their first `count` bytes. */
function without(buffers: readonly Buffer[], count: number): readonly Buffer[] {
  let left = count;
  let first = 0;
  for (; first < buffers.length && left >= (buffers[first] as Buffer).length; first++) {
    left -= (buffers[first] as Buffer).length;
  }
  const rest = buffers.slice(first);
  return left === 0 ? rest : [(rest[0] as Buffer).subarray(left), ...rest.slice(1)];
}

/**
 * Reads a file from byte `start` to byte `end`, both included, and closes the file. Each piece is valid until the
 * reader asks for the next one or returns. While the reader uses a piece, the next one is already being read.
 */
export async function* readThrough(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  let position = start;
  const taken = new Set<Buffer>();
  async function read(): Promise<{ readonly block: Buffer; readonly length: number }> {
    const block = takeBlock();
    taken.add(block);
    const { bytesRead } = await file.read(block, 0, Math.min(block.length, end + 1 - position), position);
    if (bytesRead === 0) throw new Error(`the file ends at byte ${position}, before ${end}`);
    position += bytesRead;
    return { block, length: bytesRead };
  }
  let ahead = position <= end ? read() : undefined;
  try {
    while (ahead) {
      const { block, length } = await ahead;
      ahead = position <= end ? read() : undefined;
      // Prevents an unhandled rejection. A failure is reported when this promise is awaited.
      ahead?.catch(() => {});
      yield block.subarray(0, length);
      taken.delete(block);
      giveBack(block);
    }
  } finally {
    await ahead?.catch(() => {});
    for (const block of taken) giveBack(block);
    await file.close();
  }
}
