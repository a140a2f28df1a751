// A queue that serves the owners of its items in turn. An owner of a hundred items waits for the first of them no
// longer than an owner of one item.

export interface FairQueue<T> {
  readonly size: number;
  /**
   * Adds an item after the other items of the same owner. If the queue is full, returns the item that is dropped: the
   * last item of the owner with the most items.
   */
  push(owner: string, item: T): T | undefined;
  shift(): T | undefined;
}

export function fairQueue<T>(places: number): FairQueue<T> {
  /** Items by owner, in the order in which the owners are served. */
  const owners = new Map<string, T[]>();
  let size = 0;

  function dropFromLongest(): T | undefined {
    let longest: [string, T[]] | undefined;
    // Among owners with equally many items, the newest loses an item, because it has waited least.
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
