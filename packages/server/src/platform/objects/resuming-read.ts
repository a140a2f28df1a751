// Reads bytes from a remote store. When the connection breaks, a new one continues at the same position.
import { Readable } from 'node:stream';
import { StoreUnavailable } from '../store/store.ts';

/**
 * Number of consecutive connections that may break without delivering any byte. If one more breaks, the reader gets the
 * error.
 */
const FAILURES = 3;

/**
 * @param first the bytes from the beginning
 * @param size the number of bytes in total
 * @param from opens a new connection that delivers the bytes from a position on
 */
export function resumingRead(first: Readable, size: number, from: (position: number) => Promise<Readable>): Readable {
  let body = first;

  async function* bytes(): AsyncGenerator<Buffer> {
    let position = 0;
    for (let failures = 0; ; ) {
      try {
        for await (const chunk of body as AsyncIterable<Buffer>) {
          position += chunk.length;
          failures = 0;
          yield chunk;
        }
        if (position === size) return;
        throw new Error(`the store sent ${position} of ${size} bytes`);
      } catch (cause) {
        failures += 1;
        if (whole.destroyed || failures > FAILURES) {
          throw new StoreUnavailable(`reading an object broke off at ${position} of ${size} bytes`, { cause });
        }
      }
      body = await from(position);
      if (whole.destroyed) body.destroy();
    }
  }

  const whole = Readable.from(bytes(), { objectMode: false });
  // Closes the connection even if the reader leaves before it has read anything, or while it waits for bytes.
  whole.once('close', () => body.destroy());
  return whole;
}
