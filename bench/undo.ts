// What a bench starts, and ends again when it is done, has failed, or was stopped by a signal.

export interface Undo {
  /** Notes how a value is ended, and returns the value. */
  readonly later: <T>(value: T, how: (value: T) => unknown) => T;
  /** Ends everything that was noted, the last first. */
  readonly all: () => Promise<void>;
}

export function createUndo(): Undo {
  const steps: (() => unknown)[] = [];
  async function all(): Promise<void> {
    for (const step of steps.splice(0).reverse()) await step();
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void all().finally(() => process.exit(1)));
  }
  return {
    later(value, how) {
      steps.push(() => how(value));
      return value;
    },
    all,
  };
}
