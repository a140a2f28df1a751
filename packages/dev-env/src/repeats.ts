// Says how often tests repeat steps whose outcome is random: kills, races, guesses. By default, a run is short.

const given = process.env.SEALPOST_TEST_REPEATS;
const factor = Number(given ?? 1);
if (!(factor > 0)) throw new Error(`SEALPOST_TEST_REPEATS is "${given}"; it must be a number above 0.`);

/** Returns how often to repeat a step in this run: the usual number times SEALPOST_TEST_REPEATS, but at least once. */
export const repeats = (usual: number): number => Math.max(1, Math.round(usual * factor));

/** The longest time limit that a timer of Node can have. */
const LONGEST_MS = 2 ** 31 - 1;

/** Returns the time limit of a test that repeats a step: the usual limit, which grows with the repeats. */
export const timeFor = (usualMs: number): number => Math.min(LONGEST_MS, Math.ceil(usualMs * Math.max(1, factor)));
