// Collects waiting items in groups, for a database that can run several transactions at the same time.
import type { Timers } from '@sealpost/contract/ports';
import { createGather } from './gather.ts';
import type { Waiting } from './turns.ts';

/** Maximum number of groups of one kind that run at once. Groups that take longer than LONG_MS are not counted. */
const GROUP_LANES = 2;
/**
 * Number of waiting items that makes another group start while one runs. Smaller groups would cost more for each item.
 * With 24, a server that shares a core with PostgreSQL stored 10 % less at 400 sends in flight.
 */
const FURTHER_GROUP_AT = 128;
/**
 * Part of a group that must wait when the group ends, so that the next one starts at once. If fewer wait, most of its
 * callers are about to come back. Without the wait, groups of almost all callers and of one took turns, and each group
 * has costs of its own.
 */
const NEXT_AT_ONCE = 1 / 4;
/**
 * Number of rounds of the event loop in a row without a new item that end the wait for more items. In the first round
 * after a group, its callers only get their answers.
 */
const QUIET_ROUNDS = 2;
/**
 * Milliseconds after which a running group counts as long. A long group probably waits for a locked row, so other
 * groups do not wait until it ends.
 */
const LONG_MS = 50;
/**
 * Maximum number of items of a group. One statement contains the whole group as text, which must fit into one string
 * even if all messages have the largest size.
 */
const GROUP_MAX = 256;

export interface LanesOptions<I, O> {
  /** Runs the transaction of a group and tells its callers the results; never rejects. */
  readonly write: (group: readonly Waiting<I, O>[]) => Promise<void>;
  /**
   * Returns the keys that an item will lock. Items with a key in common are never in two running groups at once, and
   * keep their order.
   */
  readonly keysOf: (item: I) => readonly string[];
  /** Maximum number of running groups, including those that take long. */
  readonly most: number;
  readonly timers: Timers;
}

export function createLanes<I, O>({ write, keysOf, most, timers }: LanesOptions<I, O>): (item: I) => Promise<O> {
  let waiting: Waiting<I, O>[] = [];
  const busy = new Set<string>();
  /** The running groups, except those that take long. */
  const brisk = new Set<readonly Waiting<I, O>[]>();
  const long = new Set<readonly Waiting<I, O>[]>();
  let arrived = 0;
  let timed = false;
  const pumpWhenQuiet = createGather(() => arrived, QUIET_ROUNDS, pump);

  /**
   * Returns items that share no key with a running group, nor with an earlier item that must wait for a running group.
   */
  function free(): Waiting<I, O>[] {
    const blocked = new Set(busy);
    return waiting.filter(({ item }) => {
      const keys = keysOf(item);
      if (!keys.some((key) => blocked.has(key))) return true;
      for (const key of keys) blocked.add(key);
      return false;
    });
  }

  function pump(): void {
    while (brisk.size < GROUP_LANES && brisk.size + long.size < most) {
      const least = brisk.size === 0 ? 1 : FURTHER_GROUP_AT;
      if (waiting.length < least) break;
      const group = free().slice(0, GROUP_MAX);
      if (group.length < least) break;
      start(group);
    }
    if (waiting.length > 0) awaitLong();
  }

  function start(group: readonly Waiting<I, O>[]): void {
    const taken = new Set(group);
    waiting = waiting.filter((item) => !taken.has(item));
    const keys = group.flatMap(({ item }) => keysOf(item));
    for (const key of keys) busy.add(key);
    brisk.add(group);
    void write(group).finally(() => {
      for (const key of keys) busy.delete(key);
      brisk.delete(group);
      long.delete(group);
      if (waiting.length < group.length * NEXT_AT_ONCE) pumpWhenQuiet();
      else pump();
    });
  }

  /**
   * Starts the timer that detects long groups. The timer runs only while items wait, so a send that need not wait has
   * no extra cost.
   */
  function awaitLong(): void {
    if (timed || brisk.size === 0) return;
    timed = true;
    const running = [...brisk];
    timers.after(LONG_MS, () => {
      timed = false;
      for (const group of running) if (brisk.delete(group)) long.add(group);
      pump();
    });
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      arrived += 1;
      pumpWhenQuiet();
    });
}
