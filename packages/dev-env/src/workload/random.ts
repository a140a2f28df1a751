// A small random generator that depends only on its seed. The same seed makes the same workload on every machine.

export interface Random {
  /** Returns a whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** Returns true with a probability of 1 in `times`. */
  oneIn(times: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Returns one to `most` different items, in random order. */
  some<T>(items: readonly T[], most: number): T[];
}

/** Returns a generator of its own. What others draw later changes nothing that it draws. */
export const splitRandom = (random: Random): Random => createRandom(random.below(2 ** 32));

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most: number): number => Math.floor(next() * most);
  return {
    below,
    oneIn: (times) => below(times) === 0,
    pick: <T>(items: readonly T[]) => items[below(items.length)] as T,
    some<T>(items: readonly T[], most: number) {
      const left = [...items];
      const count = Math.min(left.length, 1 + below(most));
      return Array.from({ length: count }, () => left.splice(below(left.length), 1)[0] as T);
    },
  };
}
