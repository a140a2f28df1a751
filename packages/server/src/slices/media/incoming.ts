// The body of an upload as it arrives: counted, hashed on the way, cut when it is too long or too slow.
import type { Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Timers } from '@sealpost/contract/ports';
import { freeBytes } from '../../platform/kernel/free-bytes.ts';

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
  /** Takes all that arrives, what is skipped too. */
  readonly signature?: { update(piece: Buffer): void } | undefined;
  /** How many bytes may be held now before they are passed on. */
  readonly room: () => number;
  /** Bytes per second below which a body is cut. */
  readonly leastRate: number;
  readonly timers: Timers;
}

const RATE_WINDOW_S = 30;

export function receive(
  request: IncomingMessage,
  { skip, most, hash, signature, room, leastRate, timers }: Expected,
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
    ending ??= 'cut';
    request.destroy();
  };

  // By events, because they bring every piece as it came: the stream's own iterator copies those that came together.
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
          // There may be more room than when it was told to pause.
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
        // More arrives while this is written.
        request.resume();
        yield full;
        for (const piece of full) freeBytes(piece);
      }
    } finally {
      watch.cancel();
      // The request outlives its body, so that it can be answered.
      request.pause().off('data', take);
      for (const end of ['end', 'close']) request.off(end, finish);
    }
  }
  return { source: batches(), ending: () => ending ?? 'cut', cut };
}
