// Copies of files that wait in the outbox, so that they can be sent after a restart. A copy lies in the store in parts.
import { chunksOf, fromBase64, toBase64 } from '@sealpost/crypto';
import type { MediaSource } from '../media/outgoing.ts';
import { type LocalState, type Tx, table } from '../store/local-state.ts';

const parts = table<string>('file-part');
const PART_BYTES = 256 * 1024;
const DIGITS = 8;

const partKey = (keptAs: string, part: number): string => `${keptAs}/${String(part).padStart(DIGITS, '0')}`;

/** Copies a file into the store, part by part. */
export async function keepFile(state: LocalState, keptAs: string, source: MediaSource): Promise<void> {
  let part = 0;
  for await (const bytes of inParts(source)) {
    const key = partKey(keptAs, part);
    await state.change(async (tx) => tx.put(parts, key, toBase64(bytes)));
    part += 1;
  }
}

/** Deletes the copy of a file. */
export async function forgetFile(tx: Tx, keptAs: string): Promise<void> {
  for (const [key] of await tx.list(parts, { prefix: `${keptAs}/` })) tx.delete(parts, key);
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
