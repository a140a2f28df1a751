// The ids of messages that are to be unsent, as a browser remembers them.

/** Returns the ids in a stored text. A text that is none of this page's has none. */
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
