// What passwords and login keys cost in servers of tests.

/** The lowest parameters of argon2id that the library takes. The memory cost is in KiB. */
export const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };
/** The number of RSA pairs that a server generates. Generating one takes more time than most tests. */
export const PAIRS = 2;
