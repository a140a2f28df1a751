// The socket of a connection to PostgreSQL.
import { Socket } from 'node:net';

type Written = (error?: Error | null) => void;

/**
 * A socket that sends everything written in one turn of the event loop as one packet. So consecutive statements share
 * the cost of sending.
 */
export class GatheringSocket extends Socket {
  #gathering = false;

  override write(chunk: string | Uint8Array, encoding?: BufferEncoding | Written, done?: Written): boolean {
    if (!this.#gathering) {
      this.#gathering = true;
      this.cork();
      process.nextTick(() => {
        this.#gathering = false;
        this.uncork();
      });
    }
    return super.write(chunk, encoding as BufferEncoding, done);
  }
}
