// Groups of waiting items for a database whose transactions can run beside each other.
import type { Timers } from '@sealpost/contract/ports';
import type { Waiting } from './turns.ts';

/** At most so many groups of one kind at once, beside those that take long. */
const GROUP_LANES = 2;
/** A further group starts beside a running one only when so many can go: smaller ones cost more for each item. */
const FURTHER_GROUP_AT = 24;
/** A group that runs longer waits for something, perhaps for one locked row: the others go as if it were not there. */
const LONG_MS = 50;
/** One statement holds what a group writes, as text: 256 of the largest messages are far below what a string can hold. */
const GROUP_MAX = 256;

export interface LanesOptions<I, O> {
  /** Takes a group through its transaction and tells its callers; never rejects. */
  readonly write: (group: readonly Waiting<I, O>[]) => Promise<void>;
  /** What an item will lock: items with a key in common are never in two running groups, and keep their order. */
  readonly keysOf: (item: I) => readonly string[];
  /** At most so many groups at once, those that take long among them. */
  readonly most: number;
  readonly timers: Timers;
}

export function createLanes<I, O>({ write, keysOf, most, timers }: LanesOptions<I, O>): (item: I) => Promise<O> {
  let waiting: Waiting<I, O>[] = [];
  const busy = new Set<string>();
  /** The running groups, as what they run on. */
  const brisk = new Set<readonly Waiting<I, O>[]>();
  const long = new Set<readonly Waiting<I, O>[]>();
  let scheduled = false;
  let timed = false;

  /** Items that share no key with a running group, nor with one that must wait for that and came before them. */
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

  /** Only while items wait, and one timer for all groups: sends that find nobody before them pay nothing for it. */
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
      // Items of one round of the event loop go together.
      scheduled = true;
      setImmediate(pump);
    });
}
