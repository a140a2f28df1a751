// Groups of waiting items for a database whose transactions can run beside each other.
import type { Waiting } from './turns.ts';

/** At most so many groups of one kind at once. */
const GROUP_LANES = 2;
/** A further group starts beside a running one only when so many can go: smaller ones cost more for each item. */
const FURTHER_GROUP_AT = 24;
/** One statement holds what a group writes, as text: 256 of the largest messages are far below what a string can hold. */
const GROUP_MAX = 256;

/**
 * @param write takes a group through its transaction and tells its callers; never rejects
 * @param keysOf what an item will lock: items with a key in common are never in two running groups, and keep their order
 */
export function createLanes<I, O>(
  write: (group: readonly Waiting<I, O>[]) => Promise<void>,
  keysOf: (item: I) => readonly string[] = () => [],
): (item: I) => Promise<O> {
  let waiting: Waiting<I, O>[] = [];
  const busy = new Set<string>();
  let lanes = 0;
  let scheduled = false;

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
    while (waiting.length > 0 && lanes < GROUP_LANES && (lanes === 0 || waiting.length >= FURTHER_GROUP_AT)) {
      const group = free().slice(0, GROUP_MAX);
      if (lanes > 0 && group.length < FURTHER_GROUP_AT) return;
      const taken = new Set(group);
      waiting = waiting.filter((item) => !taken.has(item));
      const keys = group.flatMap(({ item }) => keysOf(item));
      for (const key of keys) busy.add(key);
      lanes += 1;
      void write(group).finally(() => {
        for (const key of keys) busy.delete(key);
        lanes -= 1;
        pump();
      });
    }
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
