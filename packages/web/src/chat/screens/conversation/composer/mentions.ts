// Mentions while one writes: the name that was begun, and the members that a finished text mentions.

export interface Member {
  readonly mid: string;
  readonly name: string;
}

export interface BegunMention {
  /** Where the @ stands. */
  readonly start: number;
  readonly query: string;
}

const MOST_QUERY = 30;

/** Returns the mention that the caret is in; undefined if it is in none. The @ begins a word. */
export function begunMention(text: string, caret: number): BegunMention | undefined {
  const start = text.lastIndexOf('@', caret - 1);
  if (start < 0 || (start > 0 && !/[\s\p{P}]/u.test(text[start - 1] ?? ''))) return undefined;
  const query = text.slice(start + 1, caret);
  return query.length > MOST_QUERY || /[\n@]/.test(query) || query.startsWith(' ') ? undefined : { start, query };
}

/** Returns the text with the name of a member in the place of the begun mention, and where the caret goes. */
export function withMention(text: string, caret: number, { start }: BegunMention, name: string) {
  const before = `${text.slice(0, start)}@${name} `;
  return { text: before + text.slice(caret).replace(/^ /, ''), caret: before.length };
}

/** Returns the mids of members whose `@name` is in the text, in the order of the text. A longer name wins. */
export function mentionedIn(text: string, members: readonly Member[]): readonly string[] {
  const named = members.filter(({ name }) => name !== '').sort((one, other) => other.name.length - one.name.length);
  const mids: string[] = [];
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const member = named.find(({ name }) => text.startsWith(name, at + 1));
    if (!member) continue;
    mids.push(member.mid);
    at += member.name.length;
  }
  return mids;
}
