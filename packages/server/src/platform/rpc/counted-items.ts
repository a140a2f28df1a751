import { field, type Method } from '@sealpost/contract/schemas';

/**
 * Returns a function that counts the items of the list that a method's entry names in `countsEach`. Returns undefined
 * for a method that always counts as one call.
 */
export function countedItems({ args, countsEach }: Method): ((given: readonly unknown[]) => number) | undefined {
  if (countsEach === undefined) return undefined;
  const [name, inside] = countsEach.split('.');
  const index = args.findIndex((argument) => argument.name === name);
  return (given) => {
    const list = inside === undefined ? given[index] : field(given[index], inside);
    return Array.isArray(list) ? list.length : 1;
  };
}
