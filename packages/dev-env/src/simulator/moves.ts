// The commands and faults of a simulation, each with a name, so that a run can leave out some of them.

export class Moves {
  /** The moves that were made, with what each was. */
  readonly made: Map<string, string> = new Map();
  readonly #counts = new Map<string, number>();
  readonly #kept: ReadonlySet<string> | undefined;

  /** @param kept the names of the only moves to make; undefined for all */
  constructor(kept: ReadonlySet<string> | undefined) {
    this.#kept = kept;
  }

  /** Returns the name of the next move of a kind, for example `command 7`; undefined if the run leaves it out. */
  next(kind: string): string | undefined {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const name = `${kind} ${count}`;
    if (this.#kept && !this.#kept.has(name)) return undefined;
    this.made.set(name, name);
    return name;
  }

  describe(name: string, what: string): void {
    this.made.set(name, what);
  }
}
