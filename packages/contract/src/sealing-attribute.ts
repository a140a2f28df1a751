/** The number of the settings attribute `E2EE_ENABLE`, beside the table so that sealing does not need the whole table. */
export const sealingAttribute = 33;
