// Compares two JSON values leaf by leaf.
import { isStruct } from './loose-json.ts';

/** A place at which two values differ. `recorded` or `now` is undefined if that side has no value there. */
export interface Difference {
  /** The path of the value, such as `data.chats[0].chatName`. */
  readonly place: string;
  readonly recorded: unknown;
  readonly now: unknown;
}

export interface Comparison {
  /** Returns whether two leaves count as the same. `name` is the name of the field that contains them. */
  readonly same: (recorded: unknown, now: unknown, name: string) => boolean;
  /** Returns the key that the present value uses in place of a key of the recorded value. */
  readonly keyNow?: (recordedKey: string) => string;
  /** Returns the present list in the order of the recorded one, if the order of such lists has no meaning. */
  readonly ordered?: (recorded: readonly unknown[], now: readonly unknown[]) => readonly unknown[];
}

/** Returns the differences of two values, in the order of the recorded value. */
export function differences(
  recorded: unknown,
  now: unknown,
  comparison: Comparison,
  place = '',
  name = '',
): Difference[] {
  const { keyNow = (key) => key, ordered = (_, list) => list } = comparison;
  if (Array.isArray(recorded) && Array.isArray(now)) {
    const items = ordered(recorded, now);
    return Array.from({ length: Math.max(recorded.length, items.length) }, (_, at) =>
      differences(recorded[at], items[at], comparison, `${place}[${at}]`, name),
    ).flat();
  }
  if (isStruct(recorded) && isStruct(now)) {
    const keys = new Map(Object.keys(recorded).map((key) => [keyNow(key), key]));
    for (const key of Object.keys(now)) if (!keys.has(key)) keys.set(key, key);
    return [...keys].flatMap(([own, key]) =>
      differences(recorded[key], now[own], comparison, place === '' ? key : `${place}.${key}`, key),
    );
  }
  return comparison.same(recorded, now, name) ? [] : [{ place, recorded, now }];
}

/** Compares leaves exactly. */
export const exactly: Comparison = { same: (a, b) => JSON.stringify(a) === JSON.stringify(b) };
