// Transfers between a file and its reader or writer, in blocks that are used again.
import type { FileHandle } from 'node:fs/promises';
import { freeBytes } from '../kernel/free-bytes.ts';
import type { Source } from './objects.ts';

/** A few transfers get large blocks, which need fewer calls. Further ones get small blocks. */
const LARGE_BYTES = 256 * 1024;
const MOST_LARGE = 8;
const SMALL_BYTES = 32 * 1024;

/** The bytes that may be written before the disk is told to begin. */
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
 * Writes a source from a position on and returns where it ended, once all of it is durable. The disk begins while more
 * arrives, so that nobody waits for all of it at the end.
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
      // Should it fail, it is told when it is waited for.
      syncing.catch(() => {});
    }
  } finally {
    await syncing;
  }
  await file.datasync();
  return position;
}

/** Returns the rest of some buffers after so many bytes. */
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
 * Reads a file from one byte to another, both included, and closes it. A piece is valid until the next one is asked
 * for, or until the reader returns. The next piece is read meanwhile.
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
      // Should it fail, it is told when it is waited for.
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
