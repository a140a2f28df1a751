// Names of the contract's enumerations, as users type and read them.

/** Returns the name that an enumeration has for a number; undefined if there is none. */
export const nameOf = <K extends string>(values: Readonly<Record<K, number>>, number: number): K | undefined =>
  keysOf(values).find((key) => values[key] === number);

const keysOf = <K extends string>(values: Readonly<Record<K, unknown>>): K[] => Object.keys(values) as K[];

/** Returns a name in the form that users type, such as `phonetic-name` for `PHONETIC_NAME`. */
export const typed = (name: string): string => name.toLowerCase().replaceAll('_', '-');

/** Returns the enumeration's name for a text that the user typed; undefined if there is none. */
export const nameTyped = <K extends string>(values: Readonly<Record<K, unknown>>, text: string): K | undefined =>
  keysOf(values).find((key) => typed(key) === text);

/** Returns all names of an enumeration in the form that users type. */
export const namesOf = (values: object): string[] => Object.keys(values).map(typed);
