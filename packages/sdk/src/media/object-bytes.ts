// Reads the bytes of an object from a position on. After a lost connection, the next request continues at the position
// that was reached.
import { NetworkError } from '../gateway/errors.ts';
import { type ClientPorts, eitherOf } from '../gateway/ports.ts';
import { withinSilence } from '../gateway/silence.ts';
import { MediaError } from './media-error.ts';
import type { ObjectStorage } from './object-storage.ts';
import type { Patience } from './patience.ts';

export interface WantedBytes {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly from: number;
  /** The size of the whole object, in bytes. */
  readonly size: number;
}

const WHAT = 'the download';
const SILENCE_MS = 30_000;

/**
 * Yields the bytes as fast as the consumer takes them. Only the buffers of the connection hold bytes that the consumer
 * has not taken.
 */
export async function* objectBytes(
  deps: { storage: ObjectStorage; ports: ClientPorts; patience: Patience },
  wanted: WantedBytes,
): AsyncGenerator<Uint8Array, void> {
  const { storage, ports, patience } = deps;
  const { path, size } = wanted;
  for (let at = wanted.from; at < size; ) {
    const over = new AbortController();
    const signal = eitherOf(over.signal, patience.signal);
    try {
      const headers = { ...wanted.headers, Range: `bytes=${at}-` };
      const response = await storage({ what: WHAT, method: 'GET', path, headers, signal });
      // A server that ignores Range sends the object from its beginning: skip what was already read.
      let skip = response.status === 206 ? 0 : at;
      for await (const chunk of chunks(ports, response, path)) {
        const piece = chunk.subarray(Math.min(skip, chunk.length));
        skip -= chunk.length - piece.length;
        if (at + piece.length > size) throw new MediaError('changed', `The object has more than its ${size} bytes.`);
        at += piece.length;
        if (piece.length > 0) patience.progressed();
        yield piece;
      }
      if (at < size) throw new NetworkError(WHAT, path, new Error(`it ended after ${at} of ${size} bytes`));
    } catch (error) {
      await patience.after(error);
    } finally {
      over.abort();
    }
  }
}

async function* chunks(ports: ClientPorts, response: Response, path: string): AsyncGenerator<Uint8Array, void> {
  const reader = response.body?.getReader();
  if (!reader) return;
  for (;;) {
    const { value, done } = await withinSilence(ports, SILENCE_MS, 'not a byte', reader.read()).catch((cause) => {
      throw new NetworkError(WHAT, path, cause);
    });
    if (done) return;
    yield value;
  }
}
