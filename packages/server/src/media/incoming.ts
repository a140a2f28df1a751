// The body of an upload as it arrives: counted, hashed on the way, cut when it is too long or too slow.
import type { Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { freeBytes } from '../kernel/free-bytes.ts';
import type { Timers } from '../kernel/ports.ts';

/** `cut`: the connection broke, or somebody called `cut`. */
export type Ending = 'whole' | 'cut' | 'too long';

export interface Incoming {
  /**
   * Never throws for what the client does: it ends, and `ending` says how. A batch is valid until the next is asked for.
   */
  readonly source: AsyncIterable<readonly Buffer[]>;
  ending(): Ending;
  /** Ends the body here and closes the connection. */
  cut(): void;
}

export interface Expected {
  /** Bytes at the beginning that are there already. */
  readonly skip: number;
  /** Bytes to take after those; more is too long. */
  readonly most: number;
  /** Takes what is passed on. */
  readonly hash: Hash | undefined;
  /** How many bytes may be held now before they are passed on. */
  readonly room: () => number;
  /** Bytes per second below which a body is cut. */
  readonly leastRate: number;
  readonly timers: Timers;
}

const RATE_WINDOW_S = 30;

export function receive(request: IncomingMessage, { skip, most, hash, room, leastRate, timers }: Expected): Incoming {
  let ending: Ending | undefined;
  let passed = 0;
  let inWindow = 0;
  const cut = () => {
    ending ??= 'cut';
    request.destroy();
  };
  async function* batches(): AsyncGenerator<readonly Buffer[]> {
    const watch = timers.every(RATE_WINDOW_S * 1000, () => {
      if (inWindow < leastRate * RATE_WINDOW_S) cut();
      inWindow = 0;
    });
    let toSkip = skip;
    let batch: Buffer[] = [];
    let held = 0;
    try {
      // The request outlives its body, so that it can be answered.
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        inWindow += chunk.length;
        const piece = toSkip > 0 ? chunk.subarray(Math.min(toSkip, chunk.length)) : chunk;
        toSkip -= chunk.length - piece.length;
        if (piece.length === 0) continue;
        if (passed + piece.length > most) {
          ending = 'too long';
          return;
        }
        passed += piece.length;
        hash?.update(piece);
        batch.push(piece);
        held += piece.length;
        if (held < room()) continue;
        yield batch;
        for (const done of batch) freeBytes(done);
        batch = [];
        held = 0;
      }
    } catch (error) {
      if (!request.destroyed) throw error;
    } finally {
      watch.cancel();
    }
    ending ??= request.complete ? 'whole' : 'cut';
    if (held > 0) yield batch;
  }
  return { source: batches(), ending: () => ending ?? 'cut', cut };
}
