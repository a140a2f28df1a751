// Names of the contract's enumerations, as users type and read them.

/** Returns the name of a number in an enumeration. */
export const nameOf = <K extends string>(values: Readonly<Record<K, number>>, number: number): K | undefined =>
  keysOf(values).find((key) => values[key] === number);

const keysOf = <K extends string>(values: Readonly<Record<K, unknown>>): K[] => Object.keys(values) as K[];

/** Returns a name of the contract as users type it: `PHONETIC_NAME` as `phonetic-name`. */
const typed = (name: string): string => name.toLowerCase().replaceAll('_', '-');

/** Returns the name of an enumeration that the user typed; undefined if there is none. */
export const nameTyped = <K extends string>(values: Readonly<Record<K, unknown>>, text: string): K | undefined =>
  keysOf(values).find((key) => typed(key) === text);

/** Returns all names of an enumeration as users type them. */
export const namesOf = (values: object): string[] => Object.keys(values).map(typed);
