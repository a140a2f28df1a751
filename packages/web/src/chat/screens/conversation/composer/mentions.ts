// Mentions in a text that is being written: finds and completes a name that was begun, and finds the mentioned members.

export interface Member {
  readonly mid: string;
  readonly name: string;
}

export interface BegunMention {
  /** The index of the @ in the text. */
  readonly start: number;
  readonly query: string;
}

const MOST_QUERY = 30;

/** Returns the mention that the caret is in; undefined if the caret is not in a mention. The @ must begin a word. */
export function begunMention(text: string, caret: number): BegunMention | undefined {
  const start = text.lastIndexOf('@', caret - 1);
  if (start < 0 || (start > 0 && !/[\s\p{P}]/u.test(text[start - 1] ?? ''))) return undefined;
  const query = text.slice(start + 1, caret);
  return query.length > MOST_QUERY || /[\n@]/.test(query) || query.startsWith(' ') ? undefined : { start, query };
}

/** Returns the text with the begun mention replaced by a member's name, and the new position of the caret. */
export function withMention(text: string, caret: number, { start }: BegunMention, name: string) {
  const before = `${text.slice(0, start)}@${name} `;
  return { text: before + text.slice(caret).replace(/^ /, ''), caret: before.length };
}

/** Returns the mids of members whose `@name` is in the text, in the order of the text. Prefers longer names. */
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
