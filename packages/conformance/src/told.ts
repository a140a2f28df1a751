// Describes the operations that a step of a scenario appends to accounts' logs, in a short form for comparisons.
import { type Operation, operationTypes } from '@sealpost/contract';
import { expectEqual } from './mismatch.ts';
import type { Person } from './person.ts';

const names = new Map<number, string>(Object.entries(operationTypes).map(([name, number]) => [number, name]));
/** The character that separates the items of a list inside a parameter of an operation. */
export const LIST = '\u001e';

/**
 * Returns an operation as `TYPE param1 param2 param3`. If the operation carries a message, the text of the message
 * replaces the parameters. For a system message, its key and arguments replace them.
 */
export function brief({ type, param1, param2, param3, message }: Operation): string {
  const { LOC_KEY, LOC_ARGS } = message?.contentMetadata ?? {};
  const said = message && [LOC_KEY ?? message.text, LOC_ARGS];
  const words = [names.get(type) ?? type, ...(said ?? [param1, param2, param3])];
  return words.filter((word) => word !== undefined).join(' ');
}

/** Runs a step, and returns for each person the operations that the step appended to that person's log. */
export async function toldBy(step: () => Promise<unknown>, ...people: readonly Person[]): Promise<Operation[][]> {
  const heads = await Promise.all(people.map((person) => person.revision()));
  await step();
  return Promise.all(people.map((person, index) => person.log(heads[index] ?? '0')));
}

/** Runs a step. Requires that the step appends exactly these operations to the logs of these people. */
export async function expectTold(
  step: () => Promise<unknown>,
  expected: readonly (readonly [person: Person, what: readonly string[]])[],
): Promise<void> {
  const people = expected.map(([person]) => person);
  const logs = await toldBy(step, ...people);
  expected.forEach(([, what], index) => {
    const seen = logs[index]?.map(brief);
    expectEqual(`person ${index + 1} of ${people.length} to be told`, seen, what);
  });
}
