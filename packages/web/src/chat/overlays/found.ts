// Finds chats, people and actions by a part of their names.
import { folded } from '../../words/folded.ts';

export interface Findable {
  readonly id: string;
  readonly name: string;
}

/**
 * Returns how well a name matches a query; undefined if it does not match.
 * - 0: the name begins with the query
 * - 1: a word in the name begins with the query
 * - 2: the query is elsewhere in the name
 */
function rankOf(name: string, query: string): number | undefined {
  const text = folded(name);
  const at = text.indexOf(query);
  if (at < 0) return undefined;
  if (at === 0) return 0;
  return /[\s\p{P}]/u.test(text[at - 1] ?? '') ? 1 : 2;
}

/** Returns the things whose names contain a query, the best matches first. Equally good matches stay in their order. */
export function found<T extends Findable>(things: readonly T[], query: string, most: number): readonly T[] {
  const wanted = folded(query.trim());
  if (wanted === '') return things.slice(0, most);
  return things
    .flatMap((thing) => {
      const rank = rankOf(thing.name, wanted);
      return rank === undefined ? [] : [{ thing, rank }];
    })
    .sort((one, other) => one.rank - other.rank)
    .slice(0, most)
    .map(({ thing }) => thing);
}
