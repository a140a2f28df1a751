// The socket of a connection to PostgreSQL.
import { Socket } from 'node:net';

type Written = (error?: Error | null) => void;

/**
 * A socket that sends everything written in one turn of the event loop as one packet. So consecutive statements share
 * the cost of sending.
 */
export class GatheringSocket extends Socket {
  #gathering = false;

  constructor() {
    super();
    // A method would have no effect, because `connect` of Node sets `write` to its own function.
    this.once('connect', () => {
      this.write = (chunk: string | Uint8Array, encoding?: BufferEncoding | Written, done?: Written): boolean => {
        this.#gather();
        return super.write(chunk, encoding as BufferEncoding, done);
      };
    });
  }

  #gather(): void {
    if (this.#gathering) return;
    this.#gathering = true;
    this.cork();
    // Node calls `nextTick` before microtasks if it comes from outside of them. Statements after an `await` belong to the
    // same turn, so the microtasks go first.
    queueMicrotask(() =>
      process.nextTick(() => {
        this.#gathering = false;
        this.uncork();
      }),
    );
  }
}
