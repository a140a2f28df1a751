// Shrinks the moves of a failing simulation to a short list that still fails.
import type { SeedReport } from './run-seed.ts';
import type { Simulator } from './simulator.ts';

/** Returns the rules that a run broke, without the details. */
const rulesOf = ({ violations }: SeedReport): readonly string[] => violations.map((text) => text.split(':')[0] ?? text);

/**
 * Runs a failing seed again and again with fewer moves, as long as it breaks the same rule. The seed decides the rest.
 * Returns the report of the shortest run; undefined if the seed does not fail.
 * @param mostRuns number of runs after which the shortest list so far is good enough
 */
export async function shrink(simulator: Simulator, seed: number, mostRuns = 400): Promise<SeedReport | undefined> {
  let shortest = await simulator.run(seed);
  const [rule] = rulesOf(shortest);
  if (rule === undefined) return undefined;
  let runs = 0;
  const fails = async (kept: readonly string[]): Promise<boolean> => {
    if (++runs > mostRuns) return false;
    const report = await simulator.run(seed, { kept: new Set(kept) });
    if (!rulesOf(report).includes(rule)) return false;
    shortest = report;
    return true;
  };
  await minimize([...shortest.moves.keys()], fails);
  return shortest;
}

/** Removes ever smaller parts of a list as long as the rest fails. No single item of the result can be left out. */
export async function minimize<T>(
  items: readonly T[],
  fails: (rest: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let left = items;
  for (let size = Math.ceil(left.length / 2); size > 0 && left.length > 0; ) {
    let shorter = false;
    for (let from = 0; from < left.length; ) {
      const rest = [...left.slice(0, from), ...left.slice(from + size)];
      if (await fails(rest)) {
        left = rest;
        shorter = true;
      } else from += size;
    }
    if (size > 1) size = Math.ceil(size / 2);
    else if (!shorter) break;
  }
  return left;
}

/** Describes the shortest failing run, with the way to see it again. */
export const shortestOf = ({ seed, moves, violations }: SeedReport): string =>
  [
    `${moves.size} moves are enough for seed ${seed} to break:`,
    ...violations,
    '',
    ...moves.values(),
    '',
    `Replay: SEED=${seed} npm run sim -- --keep '${[...moves.keys()].join(',')}'`,
  ].join('\n');
