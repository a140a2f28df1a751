// What a bench starts, and ends again when it is done or has failed.

export interface Undo {
  /** Notes how a value is ended, and returns the value. */
  readonly later: <T>(value: T, how: (value: T) => unknown) => T;
  /** Ends everything that was noted, the last first. */
  readonly all: () => Promise<void>;
}

export function createUndo(): Undo {
  const steps: (() => unknown)[] = [];
  return {
    later(value, how) {
      steps.push(() => how(value));
      return value;
    },
    async all() {
      for (const step of steps.splice(0).reverse()) await step();
    },
  };
}
