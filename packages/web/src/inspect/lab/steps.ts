// One step of opening a message, as the lab shows it.

export interface Step {
  readonly name: string;
  readonly formula: string;
  readonly state: 'done' | 'failed';
  readonly values: readonly (readonly [name: string, value: string])[];
  /** Why it failed. */
  readonly problem?: string;
}

/** Ends a trace: what a step says of its failure, with the values that it had by then. */
export class StepFailed extends Error {
  readonly values: Step['values'];
  constructor(problem: string, values: Step['values'] = []) {
    super(problem);
    this.values = values;
  }
}

/** Makes one step. What it returns is for the next ones. */
export type MakeStep = <T>(
  name: string,
  formula: string,
  make: () => Promise<{ readonly values: Step['values']; readonly result: T }>,
) => Promise<T>;
