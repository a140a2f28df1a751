// The cost of hashing passwords and of generating login keys on servers in tests.

/** The lowest parameters of argon2id that the library accepts. The memory cost is in KiB. */
export const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };
/**
 * The number of RSA pairs that a server generates. It then uses them again, because generating a pair takes longer than
 * most tests.
 */
export const PAIRS = 2;
