// The list of messages that still have to be unsent, in the form in which the browser stores it.

/** Returns the ids in a stored text; none if the text is malformed. */
export function pendingIds(stored: string | null): readonly string[] {
  try {
    const ids: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

export const withId = (ids: readonly string[], id: string): readonly string[] =>
  ids.includes(id) ? ids : [...ids, id];

export const withoutId = (ids: readonly string[], id: string): readonly string[] => ids.filter((other) => other !== id);
