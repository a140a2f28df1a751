// One step of opening a message, as the lab shows it.

export interface Step {
  readonly name: string;
  readonly formula: string;
  readonly state: 'done' | 'failed';
  readonly values: readonly (readonly [name: string, value: string])[];
  /** The reason why the step failed. */
  readonly problem?: string;
}

/** Error that ends a trace. It contains the description of the failure, and the values that the step had computed. */
export class StepFailed extends Error {
  readonly values: Step['values'];
  constructor(problem: string, values: Step['values'] = []) {
    super(problem);
    this.values = values;
  }
}

/** Runs one step, and returns its result for the next steps. */
export type MakeStep = <T>(
  name: string,
  formula: string,
  make: () => Promise<{ readonly values: Step['values']; readonly result: T }>,
) => Promise<T>;
