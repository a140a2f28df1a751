// Finds the words of a search in a text, and cuts a long text to the part with the first match.

export interface TextPart {
  readonly text: string;
  readonly match: boolean;
  /** The index in the whole text where the part begins. */
  readonly start: number;
}

const BEFORE = 24;
const MOST = 140;

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Returns the ranges of a text that match words of a query. Ignores case and character width, as the search does. */
export function matchRanges(text: string, query: string): readonly (readonly [start: number, end: number])[] {
  let plain = '';
  /** For each code unit of the folded text `plain`, where its character begins and ends in the original text. */
  const places: (readonly [number, number])[] = [];
  for (const { segment, index } of segments.segment(text)) {
    const character = folded(segment);
    plain += character;
    for (let unit = 0; unit < character.length; unit++) places.push([index, index + segment.length]);
  }
  const ranges: [number, number][] = [];
  for (const word of new Set(folded(query).split(/\s+/u).filter(Boolean))) {
    for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word, at + word.length)) {
      ranges.push([places[at]?.[0] ?? 0, places[at + word.length - 1]?.[1] ?? 0]);
    }
  }
  return ranges.sort((one, other) => one[0] - other[0]);
}

/** Returns where the character at an index begins, or the end of the text. */
const characterStart = (text: string, index: number): number =>
  segments.segment(text).containing(index)?.index ?? text.length;

/**
 * Cuts a text into parts that match a query and parts that do not. A long text begins shortly before the first match.
 */
export function matchParts(text: string, query: string): readonly TextPart[] {
  const ranges = matchRanges(text, query);
  const first = ranges[0]?.[0] ?? 0;
  const from = characterStart(text, Math.max(0, first - BEFORE));
  const to = characterStart(text, from + MOST);
  const parts: TextPart[] = [];
  const add = (start: number, end: number, match: boolean): void => {
    if (end <= start) return;
    const cut = start === from && from > 0 ? '…' : '';
    parts.push({ text: cut + text.slice(start, end), match, start });
  };
  let at = from;
  for (const [start, end] of ranges) {
    if (start >= to) break;
    add(at, start, false);
    add(Math.max(at, start), end, true);
    at = Math.max(at, end);
  }
  add(at, to, false);
  return parts;
}

/** Groups search results by chat, in the order in which they were found. */
export function byChat<T>(
  found: readonly T[],
  chatOf: (one: T) => string,
): readonly (readonly [string, readonly T[]])[] {
  return [...Map.groupBy(found, chatOf)];
}
