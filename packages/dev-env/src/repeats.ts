// Says how often tests repeat steps whose outcome is random: kills, races, guesses. By default, a run is short.

const given = process.env.SEALPOST_TEST_REPEATS;
const factor = Number(given ?? 1);
if (!(factor > 0)) throw new Error(`SEALPOST_TEST_REPEATS is "${given}"; it must be a number above 0.`);

/** Returns how often to repeat a step in this run: the usual number times SEALPOST_TEST_REPEATS, but at least once. */
export const repeats = (usual: number): number => Math.max(1, Math.round(usual * factor));
