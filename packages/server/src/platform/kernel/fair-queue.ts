// A queue that serves those who wait in turn: whoever has a hundred items in it waits as long for the first one as
// whoever has one.

export interface FairQueue<T> {
  readonly size: number;
  /** Puts an item behind those of the same owner. Returns the item that has no place: the last of whoever has most. */
  push(owner: string, item: T): T | undefined;
  shift(): T | undefined;
}

export function fairQueue<T>(places: number): FairQueue<T> {
  /** In the order of their turns. */
  const owners = new Map<string, T[]>();
  let size = 0;

  function dropFromLongest(): T | undefined {
    let longest: [string, T[]] | undefined;
    // Of several the newest one, which has waited least.
    for (const entry of owners) if (!longest || entry[1].length >= longest[1].length) longest = entry;
    if (!longest) return undefined;
    const [owner, items] = longest;
    const dropped = items.pop();
    if (items.length === 0) owners.delete(owner);
    size -= 1;
    return dropped;
  }

  return {
    get size() {
      return size;
    },
    push(owner, item) {
      const items = owners.get(owner);
      if (items) items.push(item);
      else owners.set(owner, [item]);
      size += 1;
      return size > places ? dropFromLongest() : undefined;
    },
    shift() {
      const [next] = owners;
      if (!next) return undefined;
      const [owner, items] = next;
      const item = items.shift();
      owners.delete(owner);
      if (items.length > 0) owners.set(owner, items);
      size -= 1;
      return item;
    },
  };
}
