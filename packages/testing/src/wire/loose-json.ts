// Reads JSON of unchecked shape, such as bodies sent by clients and files written by other programs.

export type Struct = Readonly<Record<string, unknown>>;

export const isStruct = (value: unknown): value is Struct =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value at the end of a path of field names; undefined if a field on the way does not exist. */
export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) found = isStruct(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
export const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the value of a JSON text; undefined if the text is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
