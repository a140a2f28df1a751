// Other forms of arguments, turned into the contract's form before anything is validated.
import { type MethodName, methodOf } from '@sealpost/contract/schemas';

/** Returns the arguments in the contract's form. What no form matches comes back as it is, for validation to judge. */
export function canonicalArgs(method: MethodName, args: readonly unknown[]): readonly unknown[] {
  const form = methodOf(method).alsoTakes?.find((candidate) => candidate.matches(args));
  return form ? form.canonical(args) : args;
}
