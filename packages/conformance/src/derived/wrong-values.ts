// Values that no argument expects, each with a name. The values are JSON texts, because JSON.stringify cannot produce
// some of them.
export const wrongValues = {
  null: 'null',
  true: 'true',
  '0': '0',
  '-1': '-1',
  '1.5': '1.5',
  '2^31': '2147483648',
  '2^53 + 1': '9007199254740993',
  '2^64 in a string': '"18446744073709551616"',
  'an exponent': '1e400',
  'the empty string': '""',
  'a blank': '" "',
  '100 KiB of text': `"${'x'.repeat(100 * 1024)}"`,
  '1 MiB of text': `"${'x'.repeat(1024 * 1024)}"`,
  NUL: '"a\\u0000b"',
  'half of a surrogate pair': '"a\\ud800b"',
  'an empty list': '[]',
  'an empty struct': '{}',
  '100 nested lists': `${'['.repeat(100)}${']'.repeat(100)}`,
  '20 nested lists': `${'['.repeat(20)}${']'.repeat(20)}`,
  'an unknown number of an enum': '4711',
  'a date': '"2026-01-01T00:00:00.000Z"',
  SQL: '"\' or 1=1; drop table account; --"',
  'the name of an inherited property': '"constructor"',
} as const satisfies Record<string, string>;

export type WrongValue = keyof typeof wrongValues;

/**
 * A short list of wrong values: some of each JSON type, among them the limits of numbers and texts. It is fast enough
 * to try on a server that is in use.
 */
export const fewWrongValues: readonly WrongValue[] = [
  'null',
  'true',
  '-1',
  '1.5',
  '2^53 + 1',
  'the empty string',
  'NUL',
  'an empty list',
  'an empty struct',
  'an unknown number of an enum',
];
