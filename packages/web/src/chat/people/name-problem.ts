// Finds out whether a name can be used. The length is counted in code points, as on the server.

export type NameProblem = 'empty' | { readonly length: number };

/** Returns why a name is not allowed; undefined if it is allowed. */
export function nameProblem(name: string, most: number, mayBeEmpty = false): NameProblem | undefined {
  const length = [...name.trim()].length;
  if (length === 0 && !mayBeEmpty) return 'empty';
  return length > most ? { length } : undefined;
}
