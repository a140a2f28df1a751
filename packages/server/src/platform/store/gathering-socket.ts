// The socket of a connection to PostgreSQL.
import { Socket } from 'node:net';

type Written = (error?: Error | null) => void;

/**
 * Sends what is written in one turn of the event loop as one packet: statements that follow each other share its cost.
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
