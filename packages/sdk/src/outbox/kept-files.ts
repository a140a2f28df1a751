// Copies of the files of messages in the outbox. Because of the copies, the files can be sent even after a restart. A
// copy is stored in parts.
import { chunksOf, fromBase64, toBase64 } from '@sealpost/crypto';
import { MediaError } from '../media/media-error.ts';
import type { MediaSource } from '../media/outgoing.ts';
import { type LocalState, type Tx, table } from '../store/local-state.ts';

const parts = table<string>('file-part');
/** The copies that do not belong to a message in the outbox yet, with their sizes. */
export const copying = table<{ readonly size: number }>('file-copying', { inMemory: true });
/** The state of unfinished uploads, by the `localId` of the message. It has the keys of sealed media. */
export const uploads = table<string>('upload', { inMemory: true });
const PART_BYTES = 256 * 1024;
const DIGITS = 8;

/** The name and the size of a copy. */
export interface KeptFile {
  readonly keptAs: string;
  readonly size: number;
}

const partKey = (keptAs: string, part: number): string => `${keptAs}/${String(part).padStart(DIGITS, '0')}`;

/**
 * Copies a file into the store, part by part.
 * @throws MediaError `source-changed` if the source has more or fewer bytes than its `size` says
 */
export async function keepFile(state: LocalState, keptAs: string, source: MediaSource): Promise<KeptFile> {
  const file = { keptAs, size: source.size };
  await state.change(async (tx) => tx.put(copying, keptAs, { size: source.size }));
  try {
    let part = 0;
    let left = source.size;
    for await (const bytes of inParts(source)) {
      left -= bytes.length;
      if (left < 0) break;
      const key = partKey(keptAs, part);
      await state.change(async (tx) => tx.put(parts, key, toBase64(bytes)));
      part += 1;
    }
    if (left === 0) return file;
    throw new MediaError('source-changed', `The content does not have the ${source.size} bytes that it should have.`);
  } catch (error) {
    await state.change(async (tx) => forgetFile(tx, file));
    throw error;
  }
}

/** Notes that the copy now belongs to a message of the outbox. */
export const ownFile = (tx: Tx, { keptAs }: KeptFile): void => tx.delete(copying, keptAs);

/** Deletes the copy of a file. */
export function forgetFile(tx: Tx, { keptAs, size }: KeptFile): void {
  for (let part = 0; part * PART_BYTES < size; part++) tx.delete(parts, partKey(keptAs, part));
  tx.delete(copying, keptAs);
}

/** Deletes the copies whose messages were never queued, because the program ended before that. */
export async function sweepFiles(state: LocalState): Promise<void> {
  if (state.all(copying).size === 0) return;
  await state.change(async (tx) => {
    for (const [keptAs, { size }] of await tx.list(copying)) forgetFile(tx, { keptAs, size });
  });
}

/** Returns a kept file as a source that reads one part at a time. */
export function keptFile(state: LocalState, keptAs: string, size: number): MediaSource {
  async function* stream(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for (let part = 0, left = size; left > 0; part++) {
      const [found] = await state.list(parts, { prefix: partKey(keptAs, part) });
      if (!found) throw new Error(`part ${part} of the kept file ${keptAs} is missing`);
      const bytes = fromBase64(found[1]);
      left -= bytes.length;
      yield bytes;
    }
  }
  return { size, stream };
}

/** Yields the bytes of a source in parts of one size; only the last is smaller. */
async function* inParts(source: MediaSource): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let part = new Uint8Array(PART_BYTES);
  let filled = 0;
  for await (const chunk of chunksOf(source.stream())) {
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + PART_BYTES - filled);
      part.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled < PART_BYTES) continue;
      yield part;
      part = new Uint8Array(PART_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield part.slice(0, filled);
}
