// Server-assigned numbers: message, account, chat and session ids. They rise with time, stay below 2^53 (so that a
// JavaScript number, a SQLite integer and a PostgreSQL bigint all hold them exactly) and are never reused, whatever the
// clock does.

import type { Clock, Random } from '@sealpost/contract/ports';
import { randomHex } from './random-text.ts';

const EPOCH = Date.UTC(2020, 0, 1);
const NODE_BITS = 5;
const SEQUENCE_BITS = 8;
const PER_MS = 2 ** (NODE_BITS + SEQUENCE_BITS);
const PER_NODE = 2 ** SEQUENCE_BITS;

/** The time inside an id: never goes back as ids rise, whatever the clock does. Epoch milliseconds. */
export const timeOfId = (id: number): number => Math.floor(id / PER_MS) + EPOCH;
/** The smallest id that a time can have. */
export const firstIdAt = (time: number): number => Math.max(0, (time - EPOCH) * PER_MS);

/** How many servers can share one database. */
export const maxNodes = 2 ** NODE_BITS;

export interface Ids {
  /** A new id, above every id that this node made and above `floor`. Layout: ms since 2020, node, sequence. */
  next(floor?: number): number;
  /** A mid: kind letter and 32 hex digits (specification: Wire conventions, Ids). */
  mid(kind: 'u' | 'c' | 'r'): string;
}

/** Which server makes the ids. */
export interface Node {
  /** 0 to 31; no two running servers share one. */
  readonly number: number;
  /** The largest id in the store when the server got its number: a clock that is behind goes on above it. */
  readonly newest: number;
}

/** @param currentNode asked for every id; may throw when there is none at the moment */
export function createIds(clock: Clock, random: Random, currentNode: () => Node): Ids {
  let node: Node | undefined;
  let tick = 0;
  let sequence = -1;
  const idAt = (at: number, n: number) => at * PER_MS + (node?.number ?? 0) * PER_NODE + n;
  function become(next: Node): void {
    node = next;
    tick = Math.max(tick, Math.floor(next.newest / PER_MS)) + 1;
    sequence = -1;
  }
  return {
    next(floor = 0) {
      const current = currentNode();
      if (current !== node) become(current);
      const now = clock.now() - EPOCH;
      const above = Math.floor(floor / PER_MS);
      if (now > tick) {
        tick = now;
        sequence = -1;
      }
      if (above > tick || (above === tick && floor >= idAt(tick, sequence + 1))) {
        tick = above + 1;
        sequence = -1;
      }
      sequence += 1;
      if (sequence === PER_NODE) {
        tick += 1;
        sequence = 0;
      }
      return idAt(tick, sequence);
    },
    mid: (kind) => kind + randomHex(random, 16),
  };
}
