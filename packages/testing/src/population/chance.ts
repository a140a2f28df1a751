// Random choices that depend only on a seed: the same seed and label give the same choices on every machine.
import { drawBelow, drawFraction } from '@sealpost/contract/ports';
import { seededRandom } from '../seed/seeded-random.ts';

export interface Chance {
  /** Returns a whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** Returns a whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** Returns a number, at least 0 and below 1. */
  fraction(): number;
  /** Returns true with a probability: never at 0, always at 1. */
  happens(probability: number): boolean;
  /** Returns one of the items. @throws RangeError if there are none */
  pick<T>(items: readonly T[]): T;
  /** Returns one of the items, each with a probability in proportion to its weight. */
  weighted<T>(items: readonly T[], weightOf: (item: T) => number): T;
  /** Returns `count` of the items in random order; all if there are fewer. */
  some<T>(items: readonly T[], count: number): T[];
}

/**
 * Returns the random choices for one matter, such as `friendships`. Draws for one matter do not change those for
 * another.
 */
export function chanceOf(seed: number, matter: string): Chance {
  const random = seededRandom(`population ${seed} ${matter}`);
  const below = (limit: number): number => drawBelow(random, limit);
  const fraction = (): number => drawFraction(random);
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    fraction,
    happens: (probability) => fraction() < probability,
    pick: (items) => itemAt(items, below(items.length)),
    weighted(items, weightOf) {
      let left = fraction() * items.reduce((sum, item) => sum + weightOf(item), 0);
      const found = items.findIndex((item) => {
        left -= weightOf(item);
        return left < 0;
      });
      return itemAt(items, found < 0 ? items.length - 1 : found);
    },
    some<T>(items: readonly T[], count: number): T[] {
      const left = [...items];
      const taken: T[] = [];
      while (taken.length < count && left.length > 0) taken.push(...left.splice(below(left.length), 1));
      return taken;
    },
  };
}

/** Returns the item at a place. @throws RangeError if there is none */
export function itemAt<T>(items: readonly T[], at: number): T {
  if (at < 0 || at >= items.length) throw new RangeError(`there is no item ${at} among ${items.length}`);
  return items[at] as T;
}
