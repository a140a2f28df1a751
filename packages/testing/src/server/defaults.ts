// What test servers and `sealpost dev` have in common.

/**
 * The time at which a virtual clock starts. It lies in the future: if it lay in the past, a client that uses the
 * machine's clock would take its token for expired.
 */
export const START_TIME = Date.UTC(2030, 0, 1);
/** The name of the saved state after the first start. */
export const START = 'start';
