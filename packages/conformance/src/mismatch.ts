// The error of a check that fails because the server does not do what it should.
import { isDeepStrictEqual } from 'node:util';

const LONGEST = 600;

export class Mismatch extends Error {
  readonly expected: string;
  readonly seen: string;

  constructor(expected: string, seen: string) {
    super(`expected ${expected}, came ${seen}`);
    this.name = 'Mismatch';
    this.expected = expected;
    this.seen = seen;
  }
}

/** Returns a value as text for a report, shortened to a readable length. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}

export function expectEqual(what: string, seen: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(seen, expected)) throw new Mismatch(`${what} ${shown(expected)}`, shown(seen));
}

/**
 * Throws a Mismatch unless `holds` is true.
 * @param what what should be the case; the words after "expected" in the error text
 */
export function expectThat(holds: boolean, what: string, seen: unknown): asserts holds {
  if (!holds) throw new Mismatch(what, shown(seen));
}
