/**
 * The number of the settings attribute `E2EE_ENABLE`. It has its own module, so that modules for sealing need not load
 * the whole table.
 */
export const sealingAttribute = 33;
