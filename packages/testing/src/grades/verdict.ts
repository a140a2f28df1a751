// The errors that end a scenario early: the client deviates, or it never did what the scenario tests.
import { shown } from '@sealpost/conformance/report';

/** The client does something else than the specification says. */
export class Deviation extends Error {
  override readonly name = 'Deviation';
  readonly expected: string;
  readonly seen: string;

  constructor(expected: string, seen: string) {
    super(`expected ${expected}, seen: ${seen}`);
    this.expected = expected;
    this.seen = seen;
  }
}

/** The client never did what the scenario tests, so there is no verdict. */
export class NotReached extends Error {
  override readonly name = 'NotReached';
  /** The action that the client must do before the scenario can give a verdict. */
  readonly reach: string;
  /** The action that the client did instead. */
  readonly instead: string;

  constructor(reach: string, instead: string) {
    super(`not reached: ${instead}. To reach it: ${reach}`);
    this.reach = reach;
    this.instead = instead;
  }
}

/** @throws Deviation unless `holds` is true */
export function demand(holds: boolean, expected: string, seen: unknown): asserts holds {
  if (!holds) throw new Deviation(expected, shown(seen));
}

/** @throws Deviation unless `seen` equals `expected` */
export function demandSame(what: string, seen: string | number | undefined, expected: string | number): void {
  if (seen !== expected) throw new Deviation(`${what} ${shown(expected)}`, shown(seen));
}

/** @throws NotReached unless `holds` is true */
export function need(holds: boolean, reach: string, instead: string): asserts holds {
  if (!holds) throw new NotReached(reach, instead);
}
