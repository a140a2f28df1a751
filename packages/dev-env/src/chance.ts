// The seed for all random values in tests. It is the same in every run, unless SEALPOST_TEST_SEED sets another one.
import { randomInt } from 'node:crypto';
import fc from 'fast-check';

const USUAL = 20_261_121;
const SEEDS = 2 ** 31;
const given = process.env.SEALPOST_TEST_SEED;

/** The seed of this run. */
export const seed = given === 'any' ? randomInt(SEEDS) : Number(given ?? USUAL);
if (!Number.isSafeInteger(seed))
  throw new Error(`SEALPOST_TEST_SEED is "${given}"; it must be a whole number, or "any".`);
/** True if this run uses the default seed. */
export const isUsualSeed = seed === USUAL;
console.log(`SEALPOST_TEST_SEED=${seed}`);
fc.configureGlobal({ seed });

export { fc };
