// Mentions of members in a text (wire form: the metadata MENTION; positions in UTF-16 code units).

export interface NamedMember {
  readonly mid: string;
  readonly name: string;
}

export interface Mention {
  /** The mid of the mentioned member; undefined if all members are mentioned. */
  readonly mid: string | undefined;
  /** The positions in the text where the mention begins and ends, in UTF-16 code units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the text with its mentions as metadata. The `@name` of each member is searched only after the `@name` of the
 * member before.
 * @throws RangeError if the text does not have one of the names
 */
export function withMentions(
  text: string,
  members: readonly NamedMember[],
): { text: string; contentMetadata?: Record<string, string> } {
  let at = 0;
  const MENTIONEES = members.map(({ mid, name }) => {
    const start = text.indexOf(`@${name}`, at);
    if (start < 0) throw new RangeError(`the text has no "@${name}" for the mention of ${mid}`);
    at = start + 1 + name.length;
    return { S: String(start), E: String(at), M: mid };
  });
  return members.length === 0 ? { text } : { text, contentMetadata: { MENTION: JSON.stringify({ MENTIONEES }) } };
}

/** Returns the mentions of a message. Malformed mentions, and mentions outside of the text, are left out. */
export function mentionsOf({
  text = '',
  contentMetadata,
}: {
  readonly text?: string | undefined;
  readonly contentMetadata: Readonly<Record<string, string>>;
}): Mention[] {
  return listed(contentMetadata.MENTION).flatMap((entry) => {
    const { S, E, M } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    const [start, end] = [Number(S), Number(E)];
    const fits = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= text.length;
    return fits ? [{ mid: typeof M === 'string' ? M : undefined, start, end }] : [];
  });
}

function listed(text: string | undefined): readonly unknown[] {
  try {
    const { MENTIONEES } = JSON.parse(text ?? '{}') as { MENTIONEES?: unknown };
    return Array.isArray(MENTIONEES) ? MENTIONEES : [];
  } catch {
    return [];
  }
}
