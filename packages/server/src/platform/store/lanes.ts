// Groups of waiting items for a database whose transactions can run beside each other.
import type { Timers } from '@sealpost/contract/ports';
import type { Waiting } from './turns.ts';

/** The most groups of one kind at once, not counting those that take long. */
const GROUP_LANES = 2;
/** A further group starts beside a running one only with so many items: smaller groups cost more for each item. */
const FURTHER_GROUP_AT = 24;
/**
 * A group that runs longer waits for something, perhaps for one locked row. The others go on as if it were not there.
 */
const LONG_MS = 50;
/** One statement holds what a group writes, as text: 256 of the largest messages are far below what a string can hold. */
const GROUP_MAX = 256;

export interface LanesOptions<I, O> {
  /** Takes a group through its transaction and tells its callers; never rejects. */
  readonly write: (group: readonly Waiting<I, O>[]) => Promise<void>;
  /**
   * The keys that an item will lock. Items with a key in common are never in two running groups, and keep their order.
   */
  readonly keysOf: (item: I) => readonly string[];
  /** The most groups at once, including those that take long. */
  readonly most: number;
  readonly timers: Timers;
}

export function createLanes<I, O>({ write, keysOf, most, timers }: LanesOptions<I, O>): (item: I) => Promise<O> {
  let waiting: Waiting<I, O>[] = [];
  const busy = new Set<string>();
  /** The running groups, except those that take long. */
  const brisk = new Set<readonly Waiting<I, O>[]>();
  const long = new Set<readonly Waiting<I, O>[]>();
  let scheduled = false;
  let timed = false;

  /** Returns items that share no key with a running group, nor with an earlier item that must wait for one. */
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
    scheduled = false;
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
      pump();
    });
  }

  /**
   * Runs only while items wait, with one timer for all groups. So a send that finds nobody before it costs nothing
   * more.
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
      if (scheduled) return;
      // Items of one round of the event loop go into one group.
      scheduled = true;
      setImmediate(pump);
    });
}
