// Converts older forms of arguments to the contract's form before they are validated.
import { type MethodName, methodOf } from '@sealpost/contract/schemas';

/**
 * Returns the arguments in the contract's form. Arguments in an unknown form are returned unchanged, and validation
 * refuses them.
 */
export function canonicalArgs(method: MethodName, args: readonly unknown[]): readonly unknown[] {
  const form = methodOf(method).alsoTakes?.find((candidate) => candidate.matches(args));
  return form ? form.canonical(args) : args;
}
