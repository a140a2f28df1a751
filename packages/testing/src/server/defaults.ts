// Values that test servers and `sealpost dev` share.

/**
 * The time at which a virtual clock starts. It lies in the future: if it lay in the past, a client that uses the
 * machine's clock would treat its token as expired.
 */
export const START_TIME = Date.UTC(2030, 0, 1);
/** The name of the saved state after the first start. */
export const START = 'start';
