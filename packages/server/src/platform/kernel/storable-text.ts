// Text that both databases keep as it is. PostgreSQL refuses NUL, and half of a surrogate pair has no UTF-8.

export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Where a JSON value holds other text, as a path that begins with its name; undefined if it holds none. */
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

/** What is wrong with the text at such a path. */
export const unstorable = (path: string): string => `${path} holds NUL or half of a surrogate pair`;
