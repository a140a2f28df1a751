// Ids of messages, accounts, chats and sessions. They rise with time and are never reused, even if the clock is set
// back. They stay below 2^53, so JavaScript numbers, SQLite integers and PostgreSQL bigints hold them exactly.

import type { Clock, Random } from '@sealpost/contract/ports';
import { randomHex } from './random-text.ts';

const EPOCH = Date.UTC(2020, 0, 1);
const NODE_BITS = 5;
const SEQUENCE_BITS = 8;
const PER_MS = 2 ** (NODE_BITS + SEQUENCE_BITS);
const PER_NODE = 2 ** SEQUENCE_BITS;

/**
 * Returns the time inside an id in milliseconds since 1970. The time never falls while ids rise, even if the clock is
 * set back.
 */
export const timeOfId = (id: number): number => Math.floor(id / PER_MS) + EPOCH;
/** Returns the lower limit of the ids that are created at a time, in milliseconds since 1970. */
export const firstIdAt = (time: number): number => Math.max(0, (time - EPOCH) * PER_MS);

/** Number of servers that can share one database. */
export const maxNodes = 2 ** NODE_BITS;

export interface Ids {
  /**
   * Returns a new id, greater than every earlier id of this node and than `floor`. An id consists of milliseconds since
   * 2020, node number and sequence number.
   */
  next(floor?: number): number;
  /** Returns a new random mid: the letter of its kind and 32 hex digits. */
  mid(kind: 'u' | 'c' | 'r'): string;
}

/** The server that creates the ids. */
export interface Node {
  /** Number from 0 to 31; no two running servers share a number. */
  readonly number: number;
  /** The largest id in the store when the server got its number. New ids are greater even if the clock is behind. */
  readonly newest: number;
}

/**
 * Creates the source of ids.
 * @param currentNode called for every id; throws while the server has no number
 */
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
