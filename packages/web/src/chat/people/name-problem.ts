// Finds out whether a name can be used. A character is a code point, as the server counts them.

export type NameProblem = 'empty' | { readonly length: number };

/** Returns why a name cannot be used; undefined if it can. */
export function nameProblem(name: string, most: number, mayBeEmpty = false): NameProblem | undefined {
  const length = [...name.trim()].length;
  if (length === 0 && !mayBeEmpty) return 'empty';
  return length > most ? { length } : undefined;
}
