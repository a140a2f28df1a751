// Receives the body of an upload: counts and hashes it, and stops a body that is too long or too slow.
import type { Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Timers } from '@sealpost/contract/ports';
import { freeBytes } from '../../platform/kernel/free-bytes.ts';

/** How a body ended. `cut`: the connection broke, or the server stopped the body. */
export type Ending = 'whole' | 'cut' | 'too long';

export interface Incoming {
  /**
   * The bytes of the body in batches. Each batch is valid until the next one is requested. A fault of the client ends
   * the batches without an exception; `ending` tells the cause.
   */
  readonly source: AsyncIterable<readonly Buffer[]>;
  ending(): Ending;
  /** Ends the body early and closes the connection, unless the body has arrived already. */
  cut(): void;
}

export interface BodyRules {
  /** Number of bytes to skip at the start of the body, because the object already has them. */
  readonly skip: number;
  /** Maximum number of bytes after the skipped ones. A longer body is refused. */
  readonly most: number;
  /** Hash that is updated with the bytes after the skipped ones. */
  readonly hash: Hash | undefined;
  /** Signature check that is updated with all bytes of the body, the skipped ones included. */
  readonly signature?: { update(piece: Buffer): void } | undefined;
  /** Returns how many bytes may be held in memory before they are passed on. */
  readonly room: () => number;
  /** Lowest transfer rate in bytes per second. A slower body is cut off. */
  readonly leastRate: number;
  readonly timers: Timers;
}

const RATE_WINDOW_S = 30;

export function receive(
  request: IncomingMessage,
  { skip, most, hash, signature, room, leastRate, timers }: BodyRules,
): Incoming {
  let ending: Ending | undefined;
  let over = false;
  let toSkip = skip;
  let passed = 0;
  let inWindow = 0;
  let batch: Buffer[] = [];
  let held = 0;
  let wake = () => {};

  function take(chunk: Buffer): void {
    inWindow += chunk.length;
    signature?.update(chunk);
    const piece = toSkip > 0 ? chunk.subarray(Math.min(toSkip, chunk.length)) : chunk;
    toSkip -= chunk.length - piece.length;
    passed += piece.length;
    if (piece.length > 0 && passed > most) {
      ending ??= 'too long';
      finish();
    } else if (piece.length > 0) {
      hash?.update(piece);
      batch.push(piece);
      held += piece.length;
    }
    if (over || held >= room()) request.pause();
    wake();
  }
  function finish(): void {
    over = true;
    wake();
  }
  const cut = () => {
    // A body that is whole needs its connection for the answer, and no more from the client.
    if (request.complete) return;
    ending ??= 'cut';
    request.destroy();
  };

  // Yields the body in batches. The generator listens to events, because the stream's own iterator copies pieces that
  // arrive together.
  async function* batches(): AsyncGenerator<readonly Buffer[]> {
    const watch = timers.every(RATE_WINDOW_S * 1000, () => {
      if (inWindow < leastRate * RATE_WINDOW_S) cut();
      inWindow = 0;
    });
    over = request.destroyed || request.readableEnded;
    for (const end of ['end', 'error', 'close']) request.on(end, finish);
    if (!over) request.on('data', take);
    try {
      for (;;) {
        while (!over && held < room()) {
          // The allowed memory may have grown since the request was paused.
          request.resume();
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        ending ??= over ? (request.complete ? 'whole' : 'cut') : undefined;
        if (ending === 'too long') return;
        const full = batch;
        batch = [];
        held = 0;
        if (over && full.length === 0) return;
        // The next pieces arrive while the consumer writes this batch.
        request.resume();
        yield full;
        for (const piece of full) freeBytes(piece);
      }
    } finally {
      watch.cancel();
      // The request stays open without a reader, so that it can still be answered.
      request.pause().off('data', take);
      for (const end of ['end', 'close']) request.off(end, finish);
    }
  }
  return { source: batches(), ending: () => ending ?? 'cut', cut };
}
