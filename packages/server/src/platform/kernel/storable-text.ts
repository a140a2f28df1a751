// Returns true if both databases store a text unchanged. PostgreSQL refuses NUL, and half of a surrogate pair has no
// UTF-8 form.

export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/**
 * Returns the path of the first text in a JSON value that cannot be stored; undefined if all can. The path begins with
 * `name`.
 */
export function unstorableIn(value: unknown, name: string): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : name;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const found = isStorable(key)
      ? unstorableIn(item, Array.isArray(value) ? `${name}[${key}]` : `${name}.${key}`)
      : `a key of ${name}`;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the error text for a path that `unstorableIn` returned. */
export const unstorable = (path: string): string => `${path} holds NUL or half of a surrogate pair`;
